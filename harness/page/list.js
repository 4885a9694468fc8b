// The scenarios, as many as are asked for.

const OUTCOMES = ["failed", "passed", "skipped"];
const RANK = { failed: 0, passed: 1, skipped: 2 };
const ORDERS = {
  name: (a, b) => a.number - b.number,
  slowest: (a, b) => b.row.wall - a.row.wall,
  outcome: (a, b) => RANK[a.row.outcome] - RANK[b.row.outcome] || a.number - b.number,
};

class List {
  constructor(rows) {
    this.sections = rows.map((row, number) => new Section(row, number));
    this.node = byId("scenarios");
    this.search = byId("search");
    this.order = byId("order");
    this.chips = OUTCOMES.map((outcome) => {
      const number = rows.filter((row) => row.outcome === outcome).length;
      return el("button", {
        type: "button", class: `chip ${outcome}`, "aria-pressed": "true", "data-outcome": outcome,
        disabled: number === 0, onclick: () => this.press(outcome),
      }, mark(outcome), ` ${number} ${outcome}`);
    });
    byId("outcomes").append(...this.chips);
    byId("filter").addEventListener("submit", (event) => event.preventDefault());
    this.search.addEventListener("input", () => this.changed());
    this.order.addEventListener("change", () => this.changed());
  }

  // The first press asks for one outcome alone; pressing it again asks for all.
  press(outcome) {
    const now = this.show || OUTCOMES;
    const alone = now.length === 1 && now[0] === outcome;
    this.show = alone ? null : [outcome];
    this.changed();
  }

  changed() {
    this.apply();
    changePlace({ show: this.show, query: this.search.value.trim(), order: this.order.value });
  }

  take(place) {
    this.show = place.show;
    this.search.value = place.query;
    this.order.value = place.order in ORDERS ? place.order : "name";
    this.apply();
  }

  apply() {
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shows = (outcome) => !this.show || this.show.includes(outcome);
    const fits = (section) => shows(section.row.outcome) && words.every((word) => section.words.includes(word));
    this.visible = this.sections.filter(fits).sort(ORDERS[this.order.value]);
    this.node.replaceChildren(...this.visible.map((section) => section.node));
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(shows(chip.dataset.outcome)));
    byId("shown").textContent = `${this.visible.length} of ${count(this.sections.length, "scenario")}`;
    if (!this.visible.length) this.node.append(el("p", { class: "nothing" }, "No scenario fits."));
  }

  goTo(number, event = null) {
    const section = this.sections[number];
    if (!this.visible.includes(section)) this.take({ show: null, query: "", order: this.order.value });
    section.open();
    section.button.focus({ preventScroll: true });
    section.node.scrollIntoView({ block: "start" });
    if (event !== null) section.show(event);
    changePlace({ scenario: section.row.name, event, show: this.show, query: this.search.value.trim() });
  }

  focused() {
    return this.visible.findIndex((section) => section.node.contains(document.activeElement));
  }

  focusAt(position) {
    const section = this.visible[Math.min(Math.max(position, 0), this.visible.length - 1)];
    section?.button.focus();
    section?.button.scrollIntoView({ block: "nearest" });
  }

  nextFailure() {
    const now = this.focused();
    const order = [...this.visible.slice(now + 1), ...this.visible.slice(0, now + 1)];
    const found = order.find((section) => section.row.outcome === "failed");
    if (found) this.goTo(found.number);
  }
}

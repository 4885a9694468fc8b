// One scenario: a heading that opens it, and inside its failure, its timeline, its details.

class Section {
  constructor(row, number) {
    this.row = row;
    this.number = number;
    this.words = [row.name, row.outcome, row.reason, row.device, ...row.covers, row.words].join(" ").toLowerCase();
    this.button = el("button", { type: "button", "aria-expanded": "false", onclick: () => this.toggle() },
      mark(row.outcome), el("span", { class: "name" }, row.name),
      el("span", { class: "why" }, row.outcome === "passed" ? row.covers.join("; ") : row.reason),
      el("span", { class: "took" }, `${trim(row.wall, 1)} ms`));
    this.body = el("div", { class: "body", hidden: true });
    this.node = el("section", { class: `scenario ${row.outcome}`, "aria-label": row.name },
      el("h3", {}, this.button), this.body);
  }

  get isOpen() {
    return !this.body.hidden;
  }

  toggle() {
    if (this.isOpen) this.close();
    else this.open();
    changePlace({ scenario: this.isOpen ? this.row.name : null, event: null });
  }

  close() {
    this.body.hidden = true;
    this.button.setAttribute("aria-expanded", "false");
    this.node.classList.remove("open");
  }

  open() {
    this.body.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.node.classList.add("open");
    if (!this.story) this.fill();
    this.timeline?.drawSoon();
  }

  fill() {
    const story = (this.story = dataOf(`story-${this.number}`));
    const about = el("dl", { class: "about" });
    const say = (name, value) => value && about.append(el("dt", {}, name), el("dd", {}, value));
    say("covers", this.row.covers.join("; "));
    say("needs", this.row.needs.join(", "));
    say("device", this.row.device);
    say("took", `${seconds(story.virtual)} of its own time, ${trim(this.row.wall, 1)} ms here`);
    this.body.append(failureOf(this, story) || "", about);
    if (!story.events.length) {
      const why = this.row.outcome === "skipped" ? "It was not played." : "Its events were not recorded.";
      this.body.append(el("p", { class: "nothing" }, why));
    } else {
      this.details = el("div", { class: "details", "aria-live": "polite" },
        el("p", { class: "when" }, "Point at an event, or use the arrow keys, to see what was said."));
      this.timeline = new Timeline(story, (index, lasting) => {
        this.details.replaceChildren(...detailsOf(story, index));
        if (lasting) changePlace({ scenario: this.row.name, event: index });
      });
      this.body.append(this.timeline.node, this.details, eventList(story, (index) => this.show(index)));
      requestAnimationFrame(() => this.timeline.draw());
      const failed = story.failure && (story.failure.event ?? story.events.length - 1);
      if (story.failure) requestAnimationFrame(() => this.timeline.choose(failed));
    }
    if (story.detail) {
      const traceback = el("pre", { class: "traceback", tabindex: "0" }, story.detail);
      this.body.append(el("details", {}, el("summary", {}, "Traceback"), traceback));
    }
  }

  show(index) {
    requestAnimationFrame(() => {
      this.timeline?.choose(index, true, true);
      this.timeline?.scroller.focus({ preventScroll: true });
      this.timeline?.node.scrollIntoView({ block: "nearest" });
    });
  }
}

function failureOf(section, story) {
  const failure = story.failure;
  if (!failure) return section.row.outcome === "skipped" ? el("p", { class: "reason" }, section.row.reason) : null;
  const box = el("div", { class: "broken" }, el("p", { class: "reason" }, failure.reason));
  if (failure.expected) {
    box.append(el("div", { class: "sides" },
      el("div", { class: "side expected" }, el("h4", {}, "expected"), el("pre", {}, failure.expected)),
      el("div", { class: "side actual" }, el("h4", {}, "actual"), el("pre", {}, failure.actual))));
  }
  if (story.where) box.append(el("p", { class: "where" }, "at ", el("code", {}, story.where)));
  if (failure.event !== null) {
    const show = () => section.show(failure.event);
    box.append(el("button", { type: "button", class: "jump", onclick: show }, "Show where it happened"));
  }
  return box;
}

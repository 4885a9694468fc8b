// A timeline that scrolls: names of lanes that stay, and a drawing of which only what is in sight exists.

class Timeline {
  constructor(story, onChoose) {
    this.story = story;
    this.onChoose = onChoose;
    this.chosen = null;
    this.step = usualStep(story);
    this.drawing = svg("svg", { role: "presentation" });
    this.names = el("div", { class: "lane-names", "aria-hidden": "true" });
    this.scroller = el("div", {
      class: "scroller", tabindex: "0", role: "group", "aria-label": "Timeline; arrow keys move from event to event",
      onscroll: () => this.drawSoon(), onkeydown: (key) => this.onKey(key),
      onpointerover: (move) => this.onPointer(move), onclick: (move) => this.onPointer(move, true),
      onfocus: () => this.chosen === null && this.choose(this.story.failure?.event ?? 0, false),
    }, this.names, this.drawing);
    const zoom = (change) => () => this.zoom(change);
    this.node = el("div", { class: "timeline" },
      el("div", { class: "tools" },
        legend(story),
        el("button", { type: "button", "aria-label": "narrower", onclick: zoom(-1) }, "−"),
        el("button", { type: "button", "aria-label": "wider", onclick: zoom(1) }, "+")),
      this.scroller);
    this.place();
    new ResizeObserver(() => this.drawSoon()).observe(this.scroller);
  }

  place() {
    this.layout = layoutOf(this.story, this.step);
    this.drawing.setAttribute("width", this.layout.width);
    this.drawing.setAttribute("height", this.layout.height);
    this.names.replaceChildren(...this.layout.lanes.map((place, index) => {
      const lane = this.story.lanes[index];
      const name = el("div", { class: `lane-name ${lane.kind}`, title: lane.label }, el("b", {}, lane.label));
      if (lane.uid !== undefined && lane.uid !== null) name.append(el("small", {}, `uid ${lane.uid}`));
      name.style.height = `${place.height}px`;
      return name;
    }));
    this.draw();
  }

  zoom(change) {
    const at = STEPS.indexOf(this.step) + change;
    if (at < 0 || at >= STEPS.length) return;
    const middle = this.chosen ?? between(this.layout.places, this.scroller.scrollLeft, Infinity)[0];
    this.step = STEPS[at];
    this.place();
    this.reveal(middle);
  }

  view() {
    const box = this.scroller, side = 300;
    return {
      edge: box.scrollLeft, left: Math.max(box.scrollLeft - side, 0), right: box.scrollLeft + box.clientWidth + side,
      top: box.scrollTop - side, bottom: box.scrollTop + box.clientHeight + side,
    };
  }

  drawSoon() {
    if (!this.waiting) this.waiting = requestAnimationFrame(() => { this.waiting = null; this.draw(); });
  }

  draw() {
    const { story, layout } = this, view = this.view();
    const [first, last] = between(layout.places, view.left, view.right);
    const events = svg("g", { class: "events" });
    for (let index = first; index <= last; index += 1) events.append(drawEvent(story, layout, index, this.chosen));
    const levels = story.lanes.map((lane, index) => lane.levels && drawLevels(lane, layout.lanes[index], layout, view));
    const spans = [drawModels(story, layout, view), drawWork(story, layout, view)];
    const areas = [drawFailure(story, layout), ...spans, ...levels];
    const ground = [drawLanes(story, layout, view), drawAxis(story, layout, view)];
    this.drawing.replaceChildren(...ground, ...areas.filter(Boolean), events);
  }

  onPointer(move, clicked = false) {
    const found = move.target.closest?.("[data-event]");
    if (found) this.choose(Number(found.dataset.event), false, clicked);
  }

  onKey(key) {
    const last = this.story.events.length - 1, now = this.chosen ?? -1;
    const failed = this.story.failure?.event ?? last;
    const to = { ArrowRight: now + 1, ArrowLeft: now - 1, Home: 0, End: last, f: failed }[key.key];
    if (to !== undefined && !key.ctrlKey && !key.metaKey && !key.altKey) {
      key.preventDefault();
      this.choose(Math.min(Math.max(to, 0), last), true, true);
    } else if (key.key === "+" || key.key === "-") {
      this.zoom(key.key === "+" ? 1 : -1);
    }
  }

  choose(index, reveal = true, lasting = false) {
    if (index === null || index < 0 || index >= this.story.events.length) return;
    if (index !== this.chosen) {
      this.drawing.querySelector(".chosen")?.classList.remove("chosen");
      this.drawing.querySelector(`[data-event="${index}"]`)?.classList.add("chosen");
      this.chosen = index;
    }
    if (reveal) this.reveal(index);
    this.onChoose(index, lasting);
  }

  reveal(index) {
    const box = this.scroller, x = this.layout.places[index] ?? 0, names = this.names.offsetWidth;
    const room = box.clientWidth - names;
    const from = box.scrollLeft + 40, to = box.scrollLeft + room - Math.min(WITH_TEXT, room / 2);
    if (x < from || x > to) box.scrollLeft = x - room / 3;
    this.draw();
  }
}

const LEGEND = {
  PENDING_LOAD: "may load", WAIT_FOR_UNLOAD: "waits", NOT_PRIORITIZED: "lost", LOADED: "loaded",
  UNLOADING: "must unload",
};

function legend(story) {
  const states = new Set(story.models.map((span) => span.state));
  const keys = Object.entries(LEGEND).filter(([state]) => states.has(state));
  return el("div", { class: "legend" },
    el("span", { class: "key call" }, "call"), el("span", { class: "key callback" }, "callback"),
    keys.map(([state, text]) => el("span", { class: `key state ${state}` }, text)));
}

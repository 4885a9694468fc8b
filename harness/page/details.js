// What is known of one event, next to the timeline, and all of them as a list.

function detailsOf(story, index) {
  const event = story.events[index];
  const name = (lane) => (lane === undefined || lane === null ? "?" : story.lanes[lane].label);
  const lines = [el("p", { class: "when" }, `event ${index + 1} of ${story.events.length}, ${seconds(event.at)}`,
    event.wall !== undefined && ` (${seconds(event.wall)} on the wall's clock)`)];
  if (event.kind === "note") return [...lines, el("p", { class: "what" }, event.title)];
  const ends = `${name(event.from)} ${event.oneway ? "⇢" : "→"} ${name(event.to)}: `;
  lines.push(el("p", { class: "what" }, ends, el("b", {}, event.method)));
  const rows = Object.entries(event.arguments || {}).map(([key, value]) => [key, pretty(value)]);
  if (event.result !== undefined) rows.push(["= reply", pretty(event.result)]);
  if (event.error) rows.push(["failed", event.error]);
  if (event.target) rows.push(["object", event.target]);
  if (event.sent !== undefined) rows.push(["sent", seconds(event.sent)]);
  if (event.ended !== undefined) rows.push(["replied", seconds(event.ended)]);
  if (rows.length) {
    lines.push(el("dl", {}, rows.map(([key, value]) => [
      el("dt", { class: key === "failed" && "failed" }, key), el("dd", {}, el("pre", {}, value))])));
  }
  return lines;
}

const AT_ONCE = 200;

// The list is made when it is opened, and goes on when its end comes into sight.
function eventList(story, choose) {
  const body = el("ol", { class: "events-list" });
  let made = 0;
  const more = el("button", { type: "button", onclick: () => add() }, "more");
  const add = () => {
    const until = Math.min(made + AT_ONCE, story.events.length);
    for (; made < until; made += 1) body.append(row(made));
    more.hidden = made >= story.events.length;
  };
  const row = (index) => {
    const event = story.events[index];
    const label = (lane) => story.lanes[lane]?.label ?? "?";
    const arrow = event.oneway ? "⇢" : "→";
    const ends = event.kind === "note" ? "" : `${label(event.from)} ${arrow} ${label(event.to)}`;
    const failed = story.failure && story.failure.event === index;
    return el("li", { class: `${event.kind}${failed ? " diverging" : ""}` },
      el("button", { type: "button", onclick: () => choose(index) },
        el("span", { class: "at" }, seconds(event.at)), el("span", { class: "ends" }, ends),
        el("span", {}, event.title), el("span", { class: "brief" }, event.error || event.brief || "")));
  };
  return el("details", { ontoggle: () => made || add() },
    el("summary", {}, `The ${count(story.events.length, "event")} as a list`), body, more);
}

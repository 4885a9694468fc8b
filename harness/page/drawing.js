// The shapes of a timeline, each for a window of it: what cannot be seen is not drawn.

function drawLanes(story, layout, view) {
  const group = svg("g", { class: "lanes" });
  layout.lanes.forEach((place, index) => {
    const kind = story.lanes[index].kind;
    if (place.top + place.height < view.top || place.top > view.bottom) return;
    const x1 = view.left, x2 = view.right, y = place.line;
    const band = `band ${index % 2 ? "odd" : "even"}`;
    group.append(svg("rect", { class: band, x: x1, y: place.top, width: x2 - x1, height: place.height }));
    if (kind !== "heap") group.append(svg("line", { class: "life", x1, x2, y1: y, y2: y }));
  });
  return group;
}

function drawAxis(story, layout, view) {
  const group = svg("g", { class: "axis" });
  let free = -Infinity, said = "";
  const [first, last] = between(layout.places, view.left, view.right);
  for (let index = first; index <= last; index += 1) {
    const x = layout.places[index], text = seconds(story.events[index].at);
    if (x < free || text === said || story.failure?.event === index) continue;
    group.append(svg("text", { x: x - 4, y: 16 }, text));
    group.append(svg("line", { x1: x, x2: x, y1: 20, y2: layout.height, class: "tick" }));
    [free, said] = [x + 76, text];
  }
  return group;
}

function drawSpan(x1, x2, y, className, text, title, view) {
  const left = Math.max(x1, view.left), right = Math.min(x2, view.right);
  if (right <= left) return null;
  const seen = Math.max(left, view.edge);
  return svg("g", { class: `span ${className}` },
    svg("title", {}, title),
    svg("rect", { x: left, y, width: Math.max(right - left - 1, 1), height: ROW - 3, rx: 3 }),
    svg("text", { x: seen + 5, y: y + 11.5 }, cut(text, right - seen - 8, 6.3)));
}

function drawModels(story, layout, view) {
  const group = svg("g", { class: "models" });
  for (const span of story.models) {
    if (span.lane === null) continue;
    const x2 = span.end === null ? layout.end : layout.places[span.end];
    const y = layout.lanes[span.lane].rows + span.row * ROW;
    if (y < view.top - ROW || y > view.bottom) continue;
    const title = `request ${span.request}, ${span.size}: ${span.state}`;
    const text = `${span.request} ${span.state}`;
    group.append(drawSpan(layout.places[span.begin], x2, y, `state ${span.state}`, text, title, view) || "");
  }
  return group;
}

function drawWork(story, layout, view) {
  const group = svg("g", { class: "work" });
  const hal = story.lanes.findIndex((lane) => lane.kind === "hal");
  const names = workers(story);
  if (hal < 0) return group;
  for (const span of story.work) {
    const x2 = span.end === null ? layout.end : layout.places[span.end];
    const y = layout.lanes[hal].rows + names.indexOf(span.name) * ROW;
    const text = `works for ${span.name}`;
    group.append(drawSpan(layout.places[span.begin], x2, y, "working", text, text, view) || "");
  }
  return group;
}

// Use as an area of steps, what is promised on top of it, and the limit as a line.
function drawLevels(lane, place, layout, view) {
  const levels = lane.levels;
  const top = Math.max(1, ...levels.map((level) => Math.max(level.used + level.reserved, level.limit || 0)));
  const base = place.area + AREA;
  const height = (value) => (value / top) * (AREA - 4);
  const group = svg("g", { class: `levels ${lane.kind}` });
  let free = -Infinity;
  levels.forEach((level, index) => {
    const x1 = layout.places[level.event];
    const x2 = index + 1 < levels.length ? layout.places[levels[index + 1].event] : layout.end;
    if (x2 < view.left || x1 > view.right) return;
    const used = height(level.used), reserved = height(level.reserved), width = x2 - x1;
    group.append(svg("rect", { class: "used", x: x1, y: base - used, width, height: used }));
    if (reserved) {
      group.append(svg("rect", { class: "reserved", x: x1, y: base - used - reserved, width, height: reserved }));
    }
    const limit = base - height(level.limit || 0);
    if (level.limit) group.append(svg("line", { class: "limit", x1, x2, y1: limit, y2: limit }));
    const x = Math.max(x1, view.edge) + 5;
    const shown = levelTexts(lane, level).find((text) => cut(text, x2 - x, 6) === text);
    if (x > free && shown) {
      group.append(svg("text", { x, y: base - 5 }, shown));
      free = x + shown.length * 6;
    }
  });
  const ends = { x1: Math.max(view.left, 0), x2: Math.min(view.right, layout.end) };
  group.append(svg("line", { class: "base", ...ends, y1: base, y2: base }));
  return group;
}

// What to write into an area, the best first; the first that fits is taken.
function levelTexts(lane, level) {
  if (lane.kind === "heap") return [bytes(level.used)];
  const budget = `budget ${level.used}${level.limit ? ` of ${level.limit}` : ""}`;
  const promised = `${level.reserved} promised`;
  return level.reserved ? [`${budget}, ${promised}`, `${level.used} + ${promised}`] : [budget];
}

function drawEvent(story, layout, index, chosen) {
  const event = story.events[index];
  const x = layout.places[index];
  const failed = story.failure && story.failure.event === index;
  const classes = ["event", event.kind, event.error && "error", failed && "diverging", index === chosen && "chosen"];
  const group = svg("g", { class: classes.filter(Boolean).join(" "), "data-event": index });
  const from = layout.lanes[event.from], to = layout.lanes[event.to];
  if (event.kind === "note" || !from || !to) {
    const place = from || to || layout.lanes[0];
    group.append(svg("rect", { class: "hit", x: x - 9, y: place.top, width: 18, height: place.line - place.top + 8 }));
    group.append(svg("path", { class: "diamond", d: `M${x} ${place.line - 5}l5 5l-5 5l-5 -5z` }));
    if (layout.texts) group.append(...labels(x + 8, place, event.title, "", layout.room[index]));
    return group;
  }
  const down = to.line > from.line;
  const y1 = from.line, y2 = to.line === from.line ? to.line - 12 : to.line + (down ? -7 : 7);
  group.append(svg("line", { class: "hit", x1: x, x2: x, y1, y2 }));
  group.append(svg("line", { class: event.oneway ? "arrow oneway" : "arrow", x1: x, x2: x, y1, y2 }));
  group.append(svg("circle", { class: "start", cx: x, cy: y1, r: 3 }));
  group.append(svg("path", { class: "head", d: `M${x} ${y2 + (down ? 7 : -7)}l-4.5 ${down ? -9 : 9}h9z` }));
  if (layout.texts) {
    const place = layout.lanes[laneOfText(story, event)];
    group.append(...labels(x + 6, place, event.title, event.error || event.brief || "", layout.room[index]));
  }
  return group;
}

function labels(x, place, title, brief, room) {
  const [first, second] = brief ? [title, brief] : twoLines(title, Math.floor(room / 6));
  return [
    svg("text", { class: "name", x, y: second ? place.line - 19 : place.line - 7 }, cut(first, room, brief ? 6.7 : 6)),
    svg("text", { class: "brief", x, y: place.line - 7 }, cut(second, room, 6)),
  ];
}

function twoLines(text, signs) {
  const end = text.lastIndexOf(" ", signs);
  return text.length <= signs || end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end + 1)];
}

function drawFailure(story, layout) {
  const failure = story.failure;
  if (!failure) return null;
  const came = failure.event !== null;
  const last = layout.places.length ? layout.places[layout.places.length - 1] : MARGIN;
  const x = came ? layout.places[failure.event] : last + Math.min(layout.step, 60);
  const group = svg("g", { class: "failure" },
    svg("rect", { x: x - 9, y: AXIS - 6, width: 18, height: layout.height - AXIS + 6, rx: 4 }),
    svg("text", { x: x - 6, y: 16 }, came ? `✗ ${seconds(story.events[failure.event].at)}` : "✗ failed here"));
  const lane = failure.lane === null || failure.lane === undefined ? null : layout.lanes[failure.lane];
  if (!came && lane && failure.expected) {
    group.append(svg("circle", { class: "missing", cx: x, cy: lane.line, r: 6 }));
  }
  return group;
}

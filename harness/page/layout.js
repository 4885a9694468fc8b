// Where everything in a timeline lies. Events follow each other at an even pace, because what matters is their order;
// where much time passes, there is a gap that grows with its logarithm.

const STEPS = [6, 12, 28, 54, 124, 190];
const WITH_TEXT = 124;
const LONGEST_TEXT = 190;
const MARGIN = 26;
const AXIS = 26;
const ROW = 18;
const AREA = 44;

function usualStep(story) {
  return story.events.length <= 60 ? WITH_TEXT : story.events.length <= 400 ? 28 : 12;
}

function columns(story, step) {
  const places = [];
  let x = MARGIN;
  story.events.forEach((event, index) => {
    if (index > 0) {
      const passed = event.at - story.events[index - 1].at;
      x += step + (passed > 0.001 ? Math.log10(passed / 0.001) * Math.min(step, 40) * 0.6 : 0);
    }
    places.push(x);
  });
  return places;
}

function layoutOf(story, step) {
  const places = columns(story, step);
  const texts = step >= WITH_TEXT;
  const missing = story.failure && story.failure.event === null;
  const last = places.length ? places[places.length - 1] : MARGIN;
  // Room for the text of the last event, or for what should have come after it.
  const after = texts || missing ? Math.max(step, 150) : MARGIN;
  const width = last + after + MARGIN;
  const rows = rowsPerLane(story);
  let y = AXIS;
  const lanes = story.lanes.map((lane, index) => {
    const isHeap = lane.kind === "heap";
    const line = y + (isHeap ? 0 : lane.kind === "service" ? 16 : texts ? 36 : 18);
    const area = lane.levels ? AREA : 0;
    const below = rows[index] * ROW + (area ? area + 10 : 0);
    const height = Math.max(line - y + below + 14, lane.uid ? 46 : 30);
    const place = { top: y, line, rows: line + 8, area: line + 8, height };
    y += place.height;
    return place;
  });
  const room = texts ? roomForTexts(story, places) : [];
  return { places, step, texts, width, height: y + 4, end: last + after * 0.8, lanes, room };
}

// The lane in which an event has its text. The service's is where most calls end; beside the other end there is room.
function laneOfText(story, event) {
  const isService = event.from !== undefined && story.lanes[event.from]?.kind === "service";
  return isService && event.to !== undefined ? event.to : event.from ?? event.to ?? 0;
}

// How wide the text of each event may be, up to the next in its lane.
function roomForTexts(story, places) {
  const next = new Map();
  const room = [];
  for (let index = places.length - 1; index >= 0; index -= 1) {
    const lane = laneOfText(story, story.events[index]);
    room[index] = Math.min((next.get(lane) ?? Infinity) - places[index] - 12, LONGEST_TEXT);
    next.set(lane, places[index]);
  }
  return room;
}

function rowsPerLane(story) {
  const rows = story.lanes.map(() => 0);
  for (const span of story.models) {
    if (span.lane !== null) rows[span.lane] = Math.max(rows[span.lane], span.row + 1);
  }
  const hal = story.lanes.findIndex((lane) => lane.kind === "hal");
  if (hal >= 0 && story.work.length) rows[hal] = workers(story).length;
  return rows;
}

function workers(story) {
  return [...new Set(story.work.map((span) => span.name))];
}

// The first and the last event between two places.
function between(places, from, to) {
  const first = places.findIndex((x) => x >= from);
  if (first < 0) return [places.length, places.length - 1];
  let last = first;
  while (last + 1 < places.length && places[last + 1] <= to) last += 1;
  return [first, last];
}

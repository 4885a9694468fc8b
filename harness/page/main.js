// The page comes to life: what is in the address decides what is open.

const index = dataOf("index");
const list = new List(index.scenarios);
byId("overview").append(...overviewOf(index, (number) => list.goTo(number)));
listenToKeys(list);

function follow() {
  const place = readPlace();
  list.take(place);
  const number = index.scenarios.findIndex((row) => row.name === place.scenario);
  if (number >= 0) list.goTo(number, place.event);
}

// Where the reader was before is in the address.
history.scrollRestoration = "manual";
follow();
addEventListener("hashchange", follow);

// Where the reader is, as the part of the address behind the #: #scenario=NAME&event=3&show=failed&q=words

function readPlace() {
  const found = new URLSearchParams(location.hash.slice(1));
  return {
    scenario: found.get("scenario"),
    event: found.has("event") ? Number(found.get("event")) : null,
    show: found.has("show") ? found.get("show").split(",") : null,
    query: found.get("q") || "",
    order: found.get("order") || "name",
  };
}

function addressOf(place) {
  const parts = [];
  const add = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
  if (place.scenario) add("scenario", place.scenario);
  if (place.scenario && place.event !== null && place.event !== undefined) add("event", place.event);
  if (place.show) add("show", place.show.join(","));
  if (place.query) add("q", place.query);
  if (place.order && place.order !== "name") add("order", place.order);
  return `#${parts.join("&")}`;
}

function changePlace(change) {
  const address = addressOf({ ...readPlace(), ...change });
  if (address !== (location.hash || "#")) history.replaceState(null, "", address);
}

// Everything can be reached without a mouse; these are short ways.

function listenToKeys(list) {
  document.addEventListener("keydown", (key) => {
    if (key.ctrlKey || key.metaKey || key.altKey) return;
    const typing = key.target.matches?.("input, select, textarea");
    if (key.key === "Escape") return leave(list, key.target);
    if (typing) return;
    const now = list.focused();
    const action = {
      "/": () => list.search.focus(),
      j: () => list.focusAt(now + 1),
      k: () => list.focusAt(now < 0 ? 0 : now - 1),
      n: () => list.nextFailure(),
    }[key.key];
    if (action) {
      key.preventDefault();
      action();
    }
  });
}

function leave(list, from) {
  if (from === list.search) {
    list.search.value = "";
    list.changed();
    list.focusAt(0);
  } else if (list.focused() >= 0) {
    list.focusAt(list.focused());
  }
}

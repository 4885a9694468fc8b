// Numbers and values as text.

function seconds(value) {
  if (value >= 1) return `${trim(value, 2)} s`;
  if (value >= 0.001) return `${trim(value * 1e3, 1)} ms`;
  return `${trim(value * 1e6, 0)} µs`;
}

function trim(value, digits) {
  return String(Number(value.toFixed(digits)));
}

function bytes(value) {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${trim(value, 1)} ${units[unit]}`;
}

function count(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// A decoded value as indented lines: short things stay on one.
function pretty(value, indent = "") {
  if (value === null || typeof value !== "object") return String(value);
  const isList = Array.isArray(value);
  const parts = isList ? value.map((item) => pretty(item, indent + "  "))
    : Object.entries(value).map(([name, item]) => `${name}: ${pretty(item, indent + "  ")}`);
  const [open, close] = isList ? "[]" : "{}";
  const line = parts.join(", ");
  if (line.length <= 60 && !line.includes("\n")) return open + line + close;
  return `${open}\n${parts.map((part) => `${indent}  ${part}`).join(",\n")}\n${indent}${close}`;
}

function cut(text, width, perSign) {
  const room = Math.floor(width / perSign);
  if (room < 3) return "";
  return text.length <= room ? text : `${text.slice(0, room - 1)}…`;
}

// What came of the run as a whole.

const SLOWEST = 8;

function overviewOf(index, goTo) {
  const rows = index.scenarios.map((row, number) => ({ ...row, number }));
  const failed = rows.filter((row) => row.outcome === "failed");
  const slowest = rows.filter((row) => row.outcome !== "skipped").sort((a, b) => b.wall - a.wall).slice(0, SLOWEST);
  const follow = (row) => (click) => {
    click.preventDefault();
    goTo(row.number);
  };
  const link = (row) => el("a", { href: addressOf({ scenario: row.name }), onclick: follow(row) }, row.name);
  return [
    outcomeBar(rows),
    index.problems.map((problem) => el("pre", { class: "problem" }, problem)),
    failed.length ? el("div", { class: "card failures" }, el("h2", {}, `${count(failed.length, "failure")}`),
      el("ul", {}, failed.slice(0, 20).map((row) => el("li", {}, link(row), el("span", { class: "why" }, row.reason)))),
      failed.length > 20 && el("p", {}, `and ${failed.length - 20} more`)) : null,
    el("div", { class: "cards" }, rulesCard(index, rows, link), slowestCard(slowest, link), environmentCard(index)),
    differencesCard(index),
  ].flat().filter(Boolean);
}

function outcomeBar(rows) {
  const total = rows.length || 1;
  const bar = el("div", { class: "bar", "aria-hidden": "true" });
  for (const outcome of ["failed", "skipped", "passed"]) {
    const part = el("div", { class: outcome });
    part.style.width = `${(100 * rows.filter((row) => row.outcome === outcome).length) / total}%`;
    bar.append(part);
  }
  return bar;
}

// The outcome of a rule is the worst of those that cover it, but a skipped one takes nothing from another that passed.
function outcomeOf(rule, rows) {
  const outcomes = rule.scenarios.map((number) => rows[number].outcome);
  return ["failed", "passed", "skipped"].find((outcome) => outcomes.includes(outcome)) || "not played";
}

function rulesCard(index, rows, link) {
  const origins = [...new Set(index.rules.map((rule) => rule.origin))];
  return el("div", { class: "card" }, el("h2", {}, "Rules covered"), origins.map((origin) => {
    const rules = index.rules.filter((rule) => rule.origin === origin);
    const outcomes = rules.map((rule) => outcomeOf(rule, rows));
    const number = (outcome) => outcomes.filter((each) => each === outcome).length;
    const rest = [["failed", "failed"], ["skipped", "skipped"], ["not played", "not played"]]
      .filter(([outcome]) => number(outcome)).map(([outcome, text]) => `${number(outcome)} ${text}`);
    return el("details", {},
      el("summary", {}, `${origin}: ${number("passed")} of ${rules.length} passed`,
        rest.length > 0 && el("small", {}, ` · ${rest.join(", ")}`)),
      el("ul", {}, rules.map((rule, at) => el("li", {}, mark(outcomes[at]), ` ${rule.text} `,
        rule.scenarios.map((each) => [" ", link(rows[each])])))));
  }));
}

function slowestCard(slowest, link) {
  const most = slowest[0]?.wall || 1;
  return el("div", { class: "card" }, el("h2", {}, "Slowest"), el("ol", { class: "slowest" }, slowest.map((row) => {
    const bar = el("i", {});
    bar.style.width = `${Math.max((100 * row.wall) / most, 1)}%`;
    return el("li", {}, link(row), el("span", {}, `${trim(row.wall, 1)} ms`), bar);
  })));
}

function environmentCard(index) {
  return el("div", { class: "card" }, el("h2", {}, "Played with"),
    el("dl", { class: "about" }, index.environment.map(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])));
}

function differencesCard(index) {
  if (!index.differences.length) return null;
  const title = `Differs from Budget in ${count(index.differences.length, "scenario")}`;
  return el("div", { class: "card" }, el("h2", {}, title),
    el("ul", {}, index.differences.map((each) => el("li", {}, `${each.scenario}, as ${each.process} sees it`,
      el("div", { class: "sides" }, el("div", { class: "side" }, el("h4", {}, "tried"), el("pre", {}, each.ours)),
        el("div", { class: "side" }, el("h4", {}, "Budget"), el("pre", {}, each.theirs)))))));
}

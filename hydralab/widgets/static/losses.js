// A row a piece of evidence, a column a run that is shown: met, or the stage at which it was lost.

function makeLosses({ runs, onquestion }) {
  const el = h("section", { class: "hl-losses", "aria-label": "evidence", tabindex: 0 });
  let [rows, complete, onlyDifferences, current, shown] = [null, false, false, "", []];

  function draw() {
    if (!rows) return el.replaceChildren(note("looking for what was lost …"));
    if (!rows.length) return el.replaceChildren(note("no gold questions with evidence"));
    const differing = rows.filter(({ cells }) => new Set(shown.map((number) => cells[number].stage === "met")).size > 1);
    const listed = onlyDifferences ? differing : rows;
    const head = ["", "gold question", "turn"].map((name) => h("th", name === "turn" ? { class: "hl-n" } : {}, name));
    const names = shown.map((number) => h("th", { dir: "auto" }, swatch(runs[number]), runs[number].run));
    const toggle = h("button", { type: "button", "aria-pressed": String(onlyDifferences), disabled: shown.length < 2, onclick: () => {
      onlyDifferences = !onlyDifferences;
      draw();
    } }, `differences · ${whole(differing.length)}`);
    return el.replaceChildren(
      h("div", { class: "hl-losses-head" }, h("b", {}, `evidence of gold questions · ${whole(rows.length)}${complete ? "" : " …"}`), toggle),
      h("table", {}, h("thead", {}, h("tr", {}, head, names)), h("tbody", {}, listed.map(rowNode))),
    );
  }

  function rowNode(row) {
    const name = row.question.split(":").pop();
    return h(
      "tr",
      { class: row.question === current ? "hl-chosen" : "", onclick: () => onquestion(row.question) },
      h("td", {}, h("button", { type: "button", class: "hl-link", "aria-label": `show the prompts of question ${name}` }, name)),
      h("td", { dir: "auto", class: "hl-asked" }, row.text), h("td", { class: "hl-n" }, row.turn ?? "–"),
      shown.map((number) => row.cells[number]).map((cell) => h("td", { class: cell.stage === "met" ? "hl-met" : "hl-lost", title: [cell.detail, cell.rank === null ? "" : `rank ${cell.rank}`].filter(Boolean).join(" · ") }, cell.stage ? verdict(cell.stage) : "–")),
    );
  }

  draw();
  return {
    el,
    // Rows come in pieces; an answer that failed is the last.
    take(answer) {
      rows = [...(rows ?? []), ...(answer?.rows ?? [])];
      complete = (answer?.next ?? null) === null;
      draw();
    },
    show(numbers) {
      shown = numbers;
      if (rows) draw();
    },
    choose(question) {
      if (question === current) return;
      current = question;
      if (rows) draw();
    },
  };
}

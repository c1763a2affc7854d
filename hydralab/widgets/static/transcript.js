// The dialogue as a scrolling list. It is cut into blocks; only blocks near the window hold rows, the others
// are empty boxes of the height that their rows had, or will have by their length.

const LINE = 19;
const ROW = 27;
const LETTERS = 58;

function makeTranscript({ overview, ask, onpick }) {
  const { turns, block: size, lengths, spans, roles } = overview;
  const el = h("div", { class: "hl-transcript", role: "list", "aria-label": `transcript, ${turns} turns`, tabindex: -1 });
  const boxes = Array.from({ length: Math.ceil(turns / size) }, (_, number) => {
    const box = h("div", { class: "hl-block" });
    box.style.height = `${guessHeight(number)}px`;
    return { number, box, rows: null, loading: null };
  });
  el.append(...boxes.map(({ box }) => box));
  const opened = new Set();
  let found = new Set();
  let sought = "";
  let revealed = null;
  let state = { position: 0, at: null, recalled: new Set(), recent: new Set(), condensed: new Set(), marks: new Map() };

  function guessHeight(number) {
    const cells = lengths.slice(number * size, (number + 1) * size);
    return cells.reduce((sum, length) => sum + ROW + LINE * Math.min(Math.ceil(length / LETTERS), 6), 0);
  }

  function load(entry) {
    entry.loading ??= ask("block", { number: entry.number }).then((answer) => {
      entry.loading = null;
      if (!answer) return;
      entry.rows = answer.rows;
      show(entry);
    });
    return entry.loading;
  }

  function show(entry) {
    entry.box.replaceChildren(...entry.rows.flatMap(rowNodes));
    entry.box.style.height = "";
    entry.box.classList.add("hl-shown");
    for (const node of entry.box.children) paint(node);
  }

  function hide(entry) {
    if (!entry.box.classList.contains("hl-shown")) return;
    entry.box.style.height = `${entry.box.offsetHeight}px`;
    entry.box.classList.remove("hl-shown");
    entry.box.replaceChildren();
  }

  function rowNodes(row) {
    const number = spans.findIndex(({ start, end }) => start <= row.position && row.position <= end);
    const header = spans[number]?.start === row.position ? [headerNode(spans[number], number)] : [];
    return [...header, rowNode(row, number)];
  }

  function headerNode(span, number) {
    const state = span.status === "open" ? "still open" : `decided at turn ${span.decided_at}`;
    return h(
      "div",
      { class: "hl-span", style: `--hl-band: var(--hl-band-${number % 6})` },
      h("b", { dir: "auto" }, span.title || `turns ${span.start}–${span.end}`),
      h("span", {}, `${span.start}–${span.end} · ${state}`),
    );
  }

  function rowNode(row, number) {
    const body = h("div", { class: "hl-text", dir: "auto" }, marked(row.text, found.has(row.position) ? sought : ""));
    if (row.cut) body.append(h("i", {}, ` … ${whole(row.cut)} more characters`));
    const who = row.speaker || roles[row.role] || row.role;
    const node = h(
      "div",
      { class: `hl-turn hl-role-${row.role}`, role: "listitem", "data-turn": row.position, onclick: () => onpick(row.position) },
      h("span", { class: "hl-number" }, String(row.position)),
      h("div", { class: "hl-body" }, h("div", { class: "hl-who" }, h("b", { dir: "auto" }, who), h("span", { class: "hl-flag" }), h("span", { class: "hl-marked" }), h("span", { class: "hl-tokens" }, `${whole(row.tokens)} tok`)), body),
    );
    if (number >= 0) node.style.setProperty("--hl-band", `var(--hl-band-${number % 6})`);
    if (row.text.length > 420 || row.text.split("\n").length > 9) body.append(unfoldButton(node, row.position));
    node.classList.toggle("hl-open", opened.has(row.position));
    return node;
  }

  function unfoldButton(node, position) {
    const label = () => (opened.has(position) ? "less" : "more");
    const toggle = h("button", {
      type: "button", class: "hl-more",
      onclick: (event) => {
        event.stopPropagation();
        if (!opened.delete(position)) opened.add(position);
        node.classList.toggle("hl-open", opened.has(position));
        toggle.textContent = label();
      },
    }, label());
    return toggle;
  }

  function paint(node) {
    if (!node.dataset.turn) return;
    const turn = Number(node.dataset.turn);
    const query = turn === state.at && !state.question;
    const flags = { recalled: state.recalled.has(turn), recent: state.recent.has(turn), condensed: state.condensed.has(turn), query };
    for (const [name, on] of Object.entries(flags)) node.classList.toggle(`hl-is-${name}`, on);
    node.classList.toggle("hl-current", turn === state.position);
    node.classList.toggle("hl-later", turn > state.position);
    if (turn === state.position) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
    const words = query ? ["query"] : ["recalled", "recent"].filter((name) => flags[name]);
    if (!words.length && flags.condensed) words.push("in a checkpoint");
    node.querySelector(".hl-flag").textContent = words.join(" · ");
    node.querySelector(".hl-marked").textContent = (state.marks.get(turn) ?? []).join(" · ");
  }

  const entryOf = new Map(boxes.map((entry) => [entry.box, entry]));
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        const entry = entryOf.get(target);
        if (!isIntersecting) hide(entry);
        else if (!entry.rows) load(entry);
        else if (!target.classList.contains("hl-shown")) show(entry);
      }
    },
    { root: el, rootMargin: "600px" },
  );
  boxes.forEach(({ box }) => watcher.observe(box));

  // Before the view is on the page nothing has a height, so the first scroll waits for one.
  const sized = new ResizeObserver(() => {
    if (!el.clientHeight) return;
    sized.disconnect();
    scrollTo(wanted);
  });
  sized.observe(el);

  // A find may stand in the folded part of a long turn, so the turn is unfolded and outlined.
  function reveal(turn) {
    for (const node of el.querySelectorAll(".hl-sought")) node.classList.remove("hl-sought");
    opened.add(turn);
    revealed = turn;
    scrollTo(turn);
  }

  let wanted = 0;
  async function scrollTo(turn) {
    wanted = turn;
    if (!el.clientHeight) return;
    const entry = boxes[Math.floor(turn / size)];
    if (!entry) return;
    if (!entry.rows) {
      keepInside(el, entry.box);
      await load(entry);
    }
    if (wanted !== turn || !entry.rows) return;
    if (!entry.box.classList.contains("hl-shown")) show(entry);
    const node = entry.box.querySelector(`[data-turn="${turn}"]`);
    if (!node) return;
    node.classList.toggle("hl-sought", turn === revealed);
    node.classList.toggle("hl-open", opened.has(turn));
    if (turn === revealed) node.querySelector(".hl-more")?.replaceChildren("less");
    keepInside(el, node);
    // Blocks that come into view above take their true heights, which may move the row away again.
    requestAnimationFrame(() => requestAnimationFrame(() => wanted === turn && node.isConnected && keepInside(el, node)));
  }

  return {
    el,
    seed(first, rows) {
      const entry = boxes[first];
      if (!entry) return;
      entry.rows = rows;
      show(entry);
    },
    // Mark a text in the turns that say it.
    find(text, turns) {
      [sought, found, revealed] = [text, new Set(turns), null];
      for (const entry of boxes) if (entry.box.classList.contains("hl-shown")) show(entry);
    },
    mark(next) {
      state = { ...state, ...next };
      for (const { box } of boxes) for (const node of box.children) paint(node);
    },
    scrollTo,
    reveal,
    dispose() {
      watcher.disconnect();
      sized.disconnect();
    },
  };
}

// The controls of a trigger: thresholds of signals, cue words, the lengths of a span.

// On a page without a kernel only the first threshold and the shortest span move, over the values that it holds.
function makeForm({ send, page }) {
  const el = h("div", { class: "hl-form" });
  let choices = [];
  let turns = 0;
  let shownControls = null;

  // What the hand is on is never built anew: the form is drawn only when it says something else.
  function draw({ controls: sent, choices: signals, turns: count }) {
    [choices, turns] = [signals, count];
    el.classList.toggle("hl-by-hand", !sent);
    if (shownControls && (!sent || JSON.stringify(sent) === JSON.stringify(shownControls))) return;
    // An answer may be to an earlier move than the hand's last one: what is held goes on, the last answer agrees with it.
    if (shownControls && el.contains(document.activeElement) && signalsOf(sent) === signalsOf(shownControls)) return;
    shownControls = sent ?? START;
    const rules = shownControls.rules.map((rule, number) => ruleRow(rule, number));
    const add = h("button", { type: "button", class: "hl-add", onclick: addRule }, "+ signal");
    el.replaceChildren(...rules, cueRow(add), lengthsRow());
  }

  function changeRule(number, change, keepPrevious) {
    const rules = shownControls.rules.map((rule, at) => (at === number ? { ...rule, ...change } : rule));
    shownControls = { ...shownControls, rules };
    setControls({ rules }, keepPrevious);
  }

  function addRule() {
    const used = new Set(shownControls.rules.map(({ signal }) => signal));
    const free = choices.find(({ name }) => !used.has(name));
    if (!free) return;
    setControls({ rules: [...shownControls.rules, { signal: free.name, value: middle(free), operator: ">" }] }, false);
  }

  function ruleRow(rule, number) {
    const choice = choices.find(({ name }) => name === rule.signal) ?? { low: 0, high: 1, step: 0.01, unit: "" };
    const options = choices.map(({ name }) => h("option", { value: name, selected: name === rule.signal }, name));
    const select = h("select", { "aria-label": "signal", disabled: Boolean(page), onchange: () => {
      const next = choices.find(({ name }) => name === select.value);
      const rules = shownControls.rules.map((each, at) => (at === number ? { ...each, signal: next.name, value: middle(next) } : each));
      setControls({ rules }, false);
    } }, options);
    const remove = button("remove this signal", "×", () => setControls({ rules: shownControls.rules.filter((_, at) => at !== number) }, false));
    const alone = page || (shownControls.rules.length === 1 && !shownControls.cue);
    const slide = slideRow({
      label: `threshold of ${rule.signal}`, value: rule.value, low: Math.min(choice.low, rule.value), high: Math.max(choice.high, rule.value), step: choice.step,
      ...(page ? recordedRange(page.thresholds, number > 0) : {}),
      oninput: (value, held) => changeRule(number, { value }, held),
    });
    return h("div", { class: "hl-field hl-rule" }, select, h("span", {}, rule.operator), slide, h("span", { class: "hl-muted hl-unit" }, choice.unit), alone ? null : remove);
  }

  function cueRow(add) {
    const cue = h("input", { type: "text", readonly: Boolean(page), value: shownControls.cue, placeholder: "cue words, such as 换个话题|by the way", "aria-label": "cue: a regular expression", dir: "auto" });
    let wait = null;
    cue.addEventListener("input", () => {
      clearTimeout(wait);
      wait = setTimeout(() => {
        shownControls = { ...shownControls, cue: cue.value };
        setControls({ cue: cue.value }, false);
      }, 200);
    });
    const join = h("select", { "aria-label": "how the parts are joined", disabled: Boolean(page), onchange: () => {
      shownControls = { ...shownControls, every: join.value === "and" };
      setControls({}, false);
    } }, ["or", "and"].map((name) => h("option", { value: name, selected: (name === "and") === shownControls.every }, name)));
    return h("div", { class: "hl-field" }, join, h("label", {}, "cue"), cue, page ? null : add);
  }

  // At its right end the slider of the longest span stands for no limit.
  function lengthsRow() {
    const shortest = Math.min(Math.max(turns, 8), 40);
    const longest = Math.max(Math.min(turns, 200), shownControls.max_turns ?? 0, 8) + 1;
    const change = (next, held) => {
      shownControls = { ...shownControls, ...next };
      min.show(shownControls.min_turns);
      max.show(shownControls.max_turns ?? longest);
      setControls({}, held);
    };
    const min = slideRow({
      label: "fewest turns of a span", value: shownControls.min_turns, low: 1, high: Math.max(shortest, shownControls.min_turns), step: 1, ...(page ? recordedRange(page.shortest) : {}),
      oninput: (value, held) => change({ min_turns: value, max_turns: shownControls.max_turns && Math.max(value, shownControls.max_turns) }, held),
    });
    const max = slideRow({
      label: "most turns of a span", value: shownControls.max_turns ?? longest, low: 2, high: longest, step: 1, words: { [longest]: "no limit" }, disabled: Boolean(page),
      oninput: (value, held) => change(value === longest ? { max_turns: null } : { max_turns: value, min_turns: Math.min(value, shownControls.min_turns) }, held),
    });
    return h("div", { class: "hl-field" }, h("label", {}, "min"), min, h("label", {}, "max"), max, h("span", { class: "hl-muted" }, "turns a span"));
  }

  function setControls(change, keepPrevious) {
    send({ controls: { ...shownControls, ...change }, keep_previous: keepPrevious });
  }

  return { el, draw };
}

function recordedRange(values, still = false) {
  const [low, high] = [values[0], values[values.length - 1]];
  return values.length > 1 ? { low, high, step: (high - low) / (values.length - 1), disabled: still } : { disabled: true };
}

const START = { rules: [{ signal: "shift", value: 0.8, operator: ">" }], cue: "", every: false, min_turns: 4, max_turns: 40, align: "round" };

function signalsOf({ rules }) {
  return rules.map(({ signal }) => signal).join(" ");
}

function middle({ low, high, step }) {
  const value = low + 0.8 * (high - low);
  return Number((Math.round(value / step) * step).toFixed(6));
}

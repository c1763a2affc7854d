// A search in the transcript: a box, a count, and the way from one find to the next.

function makeSearch({ ask, onfound, onshow }) {
  let [found, more, at] = [[], 0, -1];
  let wait = null;
  const box = h("input", { type: "search", placeholder: "search the transcript", "aria-label": "search the transcript", dir: "auto", oninput: typed, onkeydown: onkey });
  const count = h("output", { class: "hl-muted", "aria-live": "polite" });
  const steps = [button("find before (Shift Enter)", icon("up"), () => show(at - 1)), button("next find (Enter)", icon("down"), () => show(at + 1))];
  const el = h("div", { class: "hl-search", role: "search" }, icon("search"), box, count, steps);
  drawCount();

  function typed() {
    clearTimeout(wait);
    wait = setTimeout(look, 150);
  }

  async function look() {
    clearTimeout(wait);
    const text = box.value.trim();
    const answer = text ? await ask("search", { text }) : { found: [], more: 0 };
    if (!answer || text !== box.value.trim()) return;
    [found, more, at] = [answer.found, answer.more, -1];
    onfound(text, found);
    if (found.length) show(0);
    else drawCount();
  }

  function show(number) {
    if (!found.length) return;
    at = (number + found.length) % found.length;
    drawCount();
    onshow(found[at]);
  }

  function drawCount() {
    count.textContent = found.length ? `${whole(at + 1)} / ${whole(found.length)}${more ? "+" : ""}` : box.value.trim() ? "none" : "";
    for (const step of steps) step.disabled = !found.length;
  }

  // Keys that move through the dialogue move through the text while one types.
  function onkey(event) {
    event.stopPropagation();
    if (event.key === "Enter") show(at + (event.shiftKey ? -1 : 1));
    else if (event.key === "Escape") {
      box.value = "";
      look();
    }
  }

  return { el, focus: () => box.focus(), dispose: () => clearTimeout(wait) };
}

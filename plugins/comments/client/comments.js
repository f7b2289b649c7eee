// Offers people after an @ in the text of a comment: arrows and Enter choose, Escape closes.
(() => {
  const WAIT_MS = 180;
  const NAME = /(?:^|\s)@([\p{L}\p{N}._-][\p{L}\p{N} ._-]{0,40})$/u;
  let open; // { input, list, found, at, start }
  let waits;
  let asked = 0;

  const beforeCaret = (input) => input.value.slice(0, input.selectionStart);
  function close() {
    clearTimeout(waits);
    asked++;
    if (!open) return;
    open.list.remove();
    open.input.removeAttribute("aria-activedescendant");
    open.input.setAttribute("aria-expanded", "false");
    open = undefined;
  }
  function mark(to) {
    open.at = (to + open.found.length) % open.found.length;
    for (const [at, item] of [...open.list.children].entries())
      item.setAttribute("aria-selected", String(at === open.at));
    open.input.setAttribute("aria-activedescendant", open.list.children[open.at].id);
  }
  function show(input, found, start) {
    close();
    if (found.length === 0) return;
    const list = document.createElement("ul");
    list.className = "fw-comment-people";
    list.id = "comment-people";
    list.setAttribute("role", "listbox");
    list.setAttribute("aria-label", input.labels[0]?.textContent ?? "");
    for (const [at, { label }] of found.entries()) {
      const item = document.createElement("li");
      item.id = `comment-person-${at}`;
      item.setAttribute("role", "option");
      item.textContent = label;
      item.addEventListener("mousedown", (event) => {
        event.preventDefault();
        choose(at);
      });
      list.append(item);
    }
    input.after(list);
    open = { input, list, found, at: 0, start };
    input.setAttribute("aria-controls", list.id);
    input.setAttribute("aria-expanded", "true");
    mark(0);
  }
  function choose(at) {
    const { input, found, start } = open;
    const { id, label } = found[at];
    const end = input.selectionStart;
    close();
    input.setRangeText(`@${label} `, start, end, "end");
    if (![...input.form.querySelectorAll('[name="mentions[]"]')].some(({ value }) => value === id)) {
      const hidden = document.createElement("input");
      Object.assign(hidden, { type: "hidden", name: "mentions[]", value: id });
      input.form.append(hidden);
    }
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }
  async function search(input) {
    const text = NAME.exec(beforeCaret(input))?.[1];
    if (text === undefined) return close();
    const now = ++asked;
    const internal = input.form.querySelector("[name=internal][type=checkbox]")?.checked ? "1" : "0";
    const url = `${input.dataset.people}?${new URLSearchParams({ q: text, internal })}`;
    const answer = await fetch(url, { headers: { accept: "application/json" } }).catch(() => undefined);
    const { data = [] } = answer?.ok ? await answer.json() : {};
    if (now === asked && input.isConnected) show(input, data, input.selectionStart - text.length - 1);
  }

  document.addEventListener("input", ({ target }) => {
    if (!target.matches?.("textarea[data-people]")) return;
    clearTimeout(waits);
    if (NAME.test(beforeCaret(target))) waits = setTimeout(() => search(target), WAIT_MS);
    else close();
  });
  document.addEventListener(
    "keydown",
    (event) => {
      if (!open || event.target !== open.input) return;
      const { key } = event;
      if (key === "ArrowDown") mark(open.at + 1);
      else if (key === "ArrowUp") mark(open.at - 1);
      else if (key === "Enter" || key === "Tab") choose(open.at);
      else if (key === "Escape") close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  document.addEventListener("focusout", ({ target }) => {
    if (open && target === open.input) close();
  });
})();

// Rows that people put in an order: dragged by their handles (sortablejs), or moved by their buttons without a new page, so
// that the focus stays. Without it the buttons send their forms.
(() => {
  if (window.fwOrder) return window.fwOrder();
  let last = Promise.resolve(); // one after the other, as they were made
  const formOf = (row) => row?.querySelector("form.fw-order");
  const bodyOf = () => document.querySelector("form.fw-order")?.closest("tbody");

  /** Each button moves past the row that stands beside its own now; at the ends of the page what the server sent stays. */
  function readdress(body) {
    const rows = [...body.rows];
    for (const [at, row] of rows.entries())
      for (const button of formOf(row)?.querySelectorAll("[data-order]") ?? []) {
        const isUp = button.dataset.order === "up";
        const id = idOf(rows[at + (isUp ? -1 : 1)]);
        button.name = id === undefined ? "move" : isUp ? "before" : "after";
        button.value = id ?? button.dataset.order;
      }
  }
  const idOf = (row) => formOf(row)?.dataset.id;

  /** Tells the server; where it refuses, the page shows what is stored. */
  async function send(form, name, value) {
    const body = new URLSearchParams(new FormData(form));
    body.set(name, value);
    const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(
      () => undefined,
    );
    if (!answer?.ok) location.reload();
  }

  function moved(row) {
    const [before, after] = [idOf(row.previousElementSibling), idOf(row.nextElementSibling)];
    readdress(row.parentElement);
    if (after !== undefined) last = last.then(() => send(formOf(row), "before", after));
    else if (before !== undefined) last = last.then(() => send(formOf(row), "after", before));
  }

  document.addEventListener(
    "submit",
    (event) => {
      const { submitter, target } = event;
      if (!target.matches("form.fw-order") || !submitter || submitter.name === "move") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      const row = target.closest("tr");
      if (submitter.dataset.order === "up") row.previousElementSibling.before(row);
      else row.nextElementSibling.after(row);
      moved(row);
      submitter.focus();
    },
    true,
  );

  window.fwOrder = () => {
    const body = bodyOf();
    if (!body || body.dataset.ordered !== undefined) return;
    body.dataset.ordered = "";
    for (const handle of body.querySelectorAll(".fw-order-handle")) handle.hidden = false;
    Sortable.create(body, {
      handle: ".fw-order-handle",
      draggable: "tr",
      ghostClass: "fw-order-ghost",
      onEnd: ({ item, oldIndex, newIndex }) => oldIndex !== newIndex && moved(item),
    });
  };
  addEventListener("turbo:render", window.fwOrder);
  window.fwOrder();
})();

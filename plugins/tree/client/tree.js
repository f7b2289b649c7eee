// Records that people move below others: dragged (sortablejs), or by the menu of each. Without it the menus send their forms.
(() => {
  if (window.fwTree) return window.fwTree();
  const tree = () => document.querySelector(".fw-tree");
  const formOf = (node) => node.querySelector(":scope > .fw-tree-row form");
  const nodeOf = (id) => document.querySelector(`.fw-tree-node[data-node="${CSS.escape(id)}"]`);
  let after; // what is opened, focused and announced once the tree is drawn again

  function report(text) {
    const problem = document.querySelector(".fw-tree-problem");
    problem.textContent = text;
    problem.hidden = text === "";
  }

  /** Puts a record below another, "" for the top. `back` brings it to where it was. */
  async function move(node, value, back) {
    report("");
    const form = formOf(node);
    const body = new URLSearchParams(new FormData(form));
    body.set(form.dataset.name, value);
    const headers = { accept: "application/json" };
    const token = document.querySelector('meta[name="csrf-token"]')?.content;
    if (token) headers["x-csrf-token"] = token;
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => undefined);
    if (!answer?.ok) {
      const { detail, title, errors = {} } = (await answer?.json().catch(() => undefined)) ?? {};
      back();
      node.querySelector("summary")?.focus();
      return report(Object.values(errors).flat().join(" ") || detail || title || tree().dataset.failed);
    }
    const opened = [...document.querySelectorAll(".fw-tree-node > details[open]")].map(
      (one) => one.parentElement.dataset.node,
    );
    const name = node.querySelector(".fw-tree-row > :first-child").textContent;
    const text = tree().dataset.moved.replace("{name}", () => name);
    after = { open: new Set([...opened, value]), focus: node.dataset.node, text };
    if (typeof Turbo === "undefined") location.reload();
    else Turbo.visit(location.href, { action: "replace" });
  }

  /** Opens the branches that were open, and leads the focus to the record that was moved. */
  function goOn() {
    if (!after || !tree()) return;
    for (const id of after.open) {
      const branch = nodeOf(id)?.querySelector(":scope > details");
      if (branch) branch.open = true;
    }
    const moved = nodeOf(after.focus);
    if (!moved) return;
    moved.querySelector("summary, a")?.focus();
    document.querySelector("[data-tree-status]").textContent = after.text;
    after = undefined;
  }

  document.addEventListener(
    "submit",
    (event) => {
      const { submitter, target: form } = event;
      const node = form.closest(".fw-tree-node");
      if (!node || !submitter || form !== formOf(node)) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      form.querySelector("details").open = false;
      move(node, submitter.value, () => {});
    },
    true,
  );
  document.addEventListener(
    "pointerdown",
    ({ target }) => target.closest?.(".fw-tree a")?.setAttribute("draggable", "false"),
    true,
  );

  function makeSortable(list) {
    if (list.isReady) return;
    list.isReady = true;
    Sortable.create(list, {
      group: "tree",
      sort: false,
      draggable: ".fw-tree-node",
      filter: ".fw-tree-node:not(:has(> .fw-tree-row form)), .fw-dropdown, summary",
      preventOnFilter: false,
      ghostClass: "fw-tree-ghost",
      delay: 200,
      delayOnTouchOnly: true,
      emptyInsertThreshold: 0,
      onStart: () => tree().classList.add("fw-tree-dragging"),
      onEnd({ item, from, to, oldIndex }) {
        tree().classList.remove("fw-tree-dragging");
        if (from === to) return;
        const back = () => from.insertBefore(item, from.children[oldIndex] ?? null);
        move(item, to.dataset.below, back);
      },
    });
  }

  window.fwTree = () => {
    if (!tree()) return;
    for (const node of document.querySelectorAll(".fw-tree-node:not(:has(> .fw-tree-drop))")) {
      const drop = document.createElement("ul");
      drop.className = "fw-tree-drop";
      drop.setAttribute("role", "presentation");
      drop.dataset.below = node.dataset.node;
      node.append(drop);
    }
    if (tree().querySelector("form"))
      for (const list of document.querySelectorAll(".fw-tree :is(.fw-tree-nodes, .fw-tree-drop)")) makeSortable(list);
    goOn();
  };
  for (const name of ["turbo:render", "turbo:frame-load"]) addEventListener(name, window.fwTree);
  window.fwTree();
})();

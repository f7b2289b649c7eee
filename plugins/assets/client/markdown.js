// Inputs of Markdown: buttons and keys that format, and a preview in the place of the text, drawn by the server. Without it the
// text is typed as it is, and the button of the preview sends the form.
(() => {
  if (window.fwMarkdown) return;
  const editorOf = (target) => target.closest?.("[data-markdown]");
  const textOf = (editor) => editor.querySelector("textarea");

  /** Replaces a part as if it was typed, so that it can be undone, and selects within what was put there. */
  function put(area, from, to, text, start = text.length, end = start) {
    area.focus();
    area.setSelectionRange(from, to);
    const isDone = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
    if (!isDone) {
      area.setRangeText(text);
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    area.setSelectionRange(from + start, from + end);
  }

  /** Puts a mark around what is selected, or takes it away. */
  function surround(area, mark) {
    const { value, selectionStart, selectionEnd } = area;
    const chosen = value.slice(selectionStart, selectionEnd);
    const inner = chosen.trim();
    const [from, to] = [selectionStart + chosen.indexOf(inner), selectionStart + chosen.indexOf(inner) + inner.length];
    const size = mark.length;
    const isWithin = inner.length > 2 * size && inner.startsWith(mark) && inner.endsWith(mark);
    const isAround = value.slice(0, from).endsWith(mark) && value.startsWith(mark, to);
    if (isWithin) put(area, from, to, inner.slice(size, -size), 0, inner.length - 2 * size);
    else if (isAround) put(area, from - size, to + size, inner, 0, inner.length);
    else put(area, from, to, mark + inner + mark, size, size + inner.length);
  }
  /** Begins each of the lines that are selected with a mark, or takes it away from all. */
  function begin(area, mark) {
    const from = area.value.lastIndexOf("\n", area.selectionStart - 1) + 1;
    const end = area.value.indexOf("\n", Math.max(from, area.selectionEnd - (area.selectionEnd > area.selectionStart)));
    const to = end < 0 ? area.value.length : end;
    const lines = area.value.slice(from, to).split("\n");
    const isOn = lines.every((line) => line.startsWith(mark));
    const text = lines.map((line) => (isOn ? line.slice(mark.length) : mark + line)).join("\n");
    put(area, from, to, text, lines.length > 1 ? 0 : text.length, text.length);
  }
  function link(area) {
    const { selectionStart: from, selectionEnd: to } = area;
    const chosen = area.value.slice(from, to);
    if (/^(https?:\/\/|mailto:)\S+$/.test(chosen)) put(area, from, to, `[](${chosen})`, 1);
    else put(area, from, to, `[${chosen}](https://)`, chosen.length + 3, chosen.length + 11);
  }
  function code(area) {
    const { selectionStart: from, selectionEnd: to, value } = area;
    const chosen = value.slice(from, to);
    if (!chosen.includes("\n")) return surround(area, "`");
    put(area, from, to, `\`\`\`\n${chosen.replace(/\n$/, "")}\n\`\`\`\n`);
  }
  const marks = {
    bold: (area) => surround(area, "**"),
    italic: (area) => surround(area, "_"),
    heading: (area) => begin(area, "## "),
    list: (area) => begin(area, "- "),
    link,
    code,
  };

  /** Shows the text, or its preview in its place. */
  function turn(editor, isPreview) {
    const button = editor.querySelector("[data-preview]");
    textOf(editor).hidden = isPreview;
    editor.querySelector(".fw-editor-preview").hidden = !isPreview;
    for (const mark of editor.querySelectorAll("[data-mark]")) mark.disabled = isPreview;
    if (isPreview === button.matches("[data-on]")) return;
    button.toggleAttribute("data-on", isPreview);
    const { preview } = button.dataset;
    [button.dataset.preview, button.firstChild.data] = [button.firstChild.data, preview];
  }
  async function preview(editor) {
    const area = textOf(editor);
    const place = editor.querySelector(".fw-editor-preview");
    const typed = new URLSearchParams([...new FormData(area.form)].filter(([, value]) => typeof value === "string"));
    typed.set("_preview", area.name);
    editor.setAttribute("aria-busy", "true");
    const answer = await fetch(area.form.action, { method: "POST", body: typed, headers: { accept: "text/html" } })
      .then((reply) => reply.text())
      .catch(() => "");
    editor.removeAttribute("aria-busy");
    if (!place.isConnected) return;
    const drawn = new DOMParser().parseFromString(answer, "text/html").getElementById(place.id);
    if (drawn?.firstChild) place.replaceChildren(...drawn.childNodes);
    else place.textContent = editor.dataset.failed;
    turn(editor, true);
    place.focus();
  }

  document.addEventListener("click", (event) => {
    const editor = editorOf(event.target);
    const mark = editor && event.target.closest("[data-mark]");
    if (mark) marks[mark.dataset.mark](textOf(editor));
    const button = editor && event.target.closest("button[data-preview]");
    if (!button) return;
    event.preventDefault();
    if (!button.matches("[data-on]")) return preview(editor);
    turn(editor, false);
    textOf(editor).focus();
  });
  document.addEventListener("keydown", (event) => {
    const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event;
    const mark = { b: "bold", i: "italic" }[key.toLowerCase()];
    if (!mark || ctrlKey === metaKey || altKey || shiftKey || !target.matches("[data-markdown] textarea")) return;
    event.preventDefault();
    marks[mark](target);
  });

  /** Shows the buttons of the inputs that are on the page. */
  window.fwMarkdown = () => {
    for (const bar of document.querySelectorAll(".fw-editor-marks[hidden]")) bar.hidden = false;
  };
  window.fwMarkdown();
})();

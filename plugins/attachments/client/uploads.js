// Files of a record's form: dropped on their field or chosen, put in an order by dragging or by buttons, and sent with a bar
// that shows how far they are. Without it there are plain inputs.
(() => {
  if (window.fwUploads) return window.fwUploads();
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const units = ["B", "KB", "MB", "GB"];

  function sizeOf(bytes) {
    const power = Math.min(3, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
    return `${Number((bytes / 1000 ** power).toFixed(power > 0 ? 1 : 0)).toLocaleString()} ${units[power]}`;
  }

  /** Shows what was chosen, with what is too large before it is sent. */
  function show(field) {
    const input = field.querySelector('input[type="file"]');
    const list = field.querySelector("[data-chosen-files]");
    const most = Number(field.dataset.maximum ?? Number.POSITIVE_INFINITY);
    list.replaceChildren(
      ...[...input.files].map((file) => {
        const row = document.createElement("li");
        row.textContent = `${file.name} (${sizeOf(file.size)})`;
        if (file.size > most) {
          row.className = "text-danger";
          row.append(` ${field.dataset.large}`);
        }
        return row;
      }),
    );
    if (input.files.length > Number(field.dataset.most ?? Number.POSITIVE_INFINITY)) {
      const many = document.createElement("li");
      many.className = "text-danger";
      many.textContent = field.dataset.many;
      list.prepend(many);
    }
  }

  /** Adds files to those that were chosen before; where there is one, it takes the place. */
  function add(field, files) {
    const input = field.querySelector('input[type="file"]');
    const chosen = new DataTransfer();
    const before = input.multiple ? [...input.files] : [];
    for (const file of [...before, ...(input.multiple ? files : files.slice(0, 1))]) chosen.items.add(file);
    input.files = chosen.files;
    input.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /** The numbers by which the server reads the order. */
  function number(list) {
    for (const [at, input] of all("[data-position]", list).entries()) input.value = String(at + 1);
    list.dispatchEvent(new Event("input", { bubbles: true }));
  }
  function move(row, isUp) {
    const beside = isUp ? row.previousElementSibling : row.nextElementSibling;
    if (!beside?.matches("[data-movable]")) return;
    if (isUp) beside.before(row);
    else beside.after(row);
    number(row.parentElement);
  }

  function start(field) {
    if (field.dataset.started !== undefined) return;
    field.dataset.started = "";
    const zone = field.querySelector("[data-drop]");
    field.querySelector("[data-invite]").hidden = false;
    for (const place of all(".fw-upload-place", field)) place.hidden = true;
    for (const buttons of all("[data-move]", field)) buttons.hidden = false;
    field.addEventListener("change", ({ target }) => target.type === "file" && show(field));
    field.addEventListener("click", ({ target }) => {
      const button = target.closest("[data-up], [data-down]");
      if (!button) return;
      move(button.closest("li"), button.dataset.up !== undefined);
      button.focus();
    });
    for (const moment of ["dragenter", "dragover"])
      zone.addEventListener(moment, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        zone.classList.add("is-over");
      });
    for (const moment of ["dragleave", "drop"]) zone.addEventListener(moment, () => zone.classList.remove("is-over"));
    zone.addEventListener("drop", (event) => {
      if (!event.dataTransfer?.files.length) return;
      event.preventDefault();
      add(field, [...event.dataTransfer.files]);
    });
    let dragged;
    field.addEventListener("dragstart", ({ target }) => {
      dragged = target.closest?.("[data-movable]");
    });
    field.addEventListener("dragover", (event) => {
      const over = event.target.closest("[data-movable]");
      if (!dragged || !over || over.parentElement !== dragged.parentElement) return;
      event.preventDefault();
      const { top, height } = over.getBoundingClientRect();
      if (event.clientY < top + height / 2) over.before(dragged);
      else over.after(dragged);
    });
    field.addEventListener("dragend", () => {
      if (dragged) number(dragged.parentElement);
      dragged = undefined;
    });
  }

  /** Sends a form with files itself, since only so a browser says how far it is; the answer is shown as Turbo shows it. */
  function send(form, submitter) {
    const bars = all("[data-upload]", form).filter(
      (field) => field.querySelector('input[type="file"]').files.length > 0,
    );
    const sending = new XMLHttpRequest();
    const body = new FormData(form, submitter);
    const buttons = all("button", form).filter((button) => !button.disabled);
    const wait = (isWaiting) => {
      for (const button of buttons) button.disabled = isWaiting;
      for (const field of bars) {
        const bar = field.querySelector("progress");
        bar.hidden = !isWaiting;
        bar.setAttribute("aria-label", field.dataset.sending);
      }
    };
    sending.upload.addEventListener("progress", ({ loaded, total, lengthComputable }) => {
      for (const field of bars) {
        const bar = field.querySelector("progress");
        if (lengthComputable) bar.value = Math.round((loaded / total) * 100);
        else bar.removeAttribute("value");
      }
    });
    sending.addEventListener("load", () => {
      const { responseURL, responseText: responseHTML, status: statusCode } = sending;
      const redirected = responseURL !== form.action;
      Turbo.cache.clear();
      Turbo.visit(responseURL, {
        action: redirected ? "advance" : "replace",
        response: { statusCode, responseHTML, redirected },
      });
    });
    sending.addEventListener("error", () => {
      wait(false);
      form.dispatchEvent(new CustomEvent("turbo:fetch-request-error", { bubbles: true, cancelable: true }));
    });
    sending.open(form.method, form.action);
    sending.setRequestHeader("accept", "text/html, application/xhtml+xml");
    sending.send(body);
    wait(true);
  }

  /** Asks for a form by which the storage takes a file, and sends it there. Resolves with what stands for it in the form. */
  async function sendDirectly(url, file, progress) {
    const token = document.querySelector('meta[name="csrf-token"]')?.content ?? "";
    const body = new URLSearchParams({ name: file.name, size: String(file.size), type: file.type });
    const headers = { accept: "application/json", "x-csrf-token": token };
    const answer = await fetch(url, { method: "POST", body, headers });
    const { data, detail } = await answer.json();
    if (!answer.ok)
      throw Object.assign(new Error(`status ${answer.status}`), answer.status === 422 && { refused: detail });
    const form = new FormData();
    for (const [name, value] of Object.entries(data.fields)) form.append(name, value);
    form.append("file", file);
    await new Promise((resolve, reject) => {
      const sending = new XMLHttpRequest();
      sending.upload.addEventListener("progress", ({ loaded }) => progress(Math.min(loaded, file.size)));
      sending.addEventListener("load", () => (sending.status < 300 ? resolve() : reject(new Error(sending.status))));
      sending.addEventListener("error", reject);
      sending.open("POST", data.url);
      sending.send(form);
    });
    return data.file;
  }

  /** Sends the files of a field to the storage, and leaves in the form what stands for them. */
  async function sendField(field) {
    const input = field.querySelector('input[type="file"]');
    const files = [...input.files];
    const bar = field.querySelector("progress");
    const total = files.reduce((sum, { size }) => sum + size, 0);
    let done = 0;
    bar.hidden = false;
    bar.value = 0;
    bar.setAttribute("aria-label", field.dataset.sending);
    const sent = [];
    for (const file of files) {
      sent.push(
        await sendDirectly(field.dataset.direct, file, (loaded) => {
          bar.value = Math.round(((done + loaded) / total) * 100);
        }),
      );
      done += file.size;
    }
    if (!input.multiple) for (const one of all("[data-sent]", field)) one.remove();
    const before = all("[data-sent]", field).length;
    for (const [index, value] of sent.entries()) {
      const one = document.createElement("input");
      const name = `${input.name.replace(/\[new\]\[\]$/, "")}[kept][d${before + index}][file]`;
      Object.assign(one, { type: "hidden", name, value });
      one.dataset.sent = "";
      field.append(one);
    }
    input.value = "";
  }

  /** Fields whose files the storage takes; what it doesn't, as an empty one, is sent with the form. */
  const direct = (form) =>
    all("[data-upload][data-direct]", form).filter((field) => {
      const { files } = field.querySelector('input[type="file"]');
      return files.length > 0 && [...files].every(({ size }) => size > 0);
    });

  /** What the application refused to sign is corrected before the form is sent. */
  function showRefused(field, text) {
    const row = document.createElement("li");
    row.className = "text-danger";
    row.textContent = text;
    field.querySelector("[data-chosen-files]").prepend(row);
    field.querySelector('input[type="file"]').focus();
  }

  /** Sends files to the storage, then the form without them; what could not be sent there goes with the form. */
  async function sendApart(form, submitter, fields) {
    const buttons = all("button", form).filter((button) => !button.disabled);
    for (const button of buttons) button.disabled = true;
    let refused;
    for (const field of fields)
      await sendField(field).catch((error) => {
        if (error.refused === undefined)
          delete field.dataset.direct; // the bucket is away: it goes with the form
        else refused ??= [field, error.refused];
      });
    for (const button of buttons) button.disabled = false;
    for (const field of fields) field.querySelector("progress").hidden = true;
    if (refused) showRefused(...refused);
    else form.requestSubmit(submitter);
  }

  addEventListener("turbo:submit-start", (event) => {
    const { formElement: form, submitter } = event.detail.formSubmission;
    const apart = direct(form);
    if (apart.length > 0) {
      event.detail.formSubmission.stop();
      void sendApart(form, submitter, apart);
      return;
    }
    const isFiled = all('[data-upload] input[type="file"]', form).some(({ files }) => files.length > 0);
    if (!isFiled || form.closest("turbo-frame, dialog")) return;
    event.detail.formSubmission.stop();
    send(form, submitter);
  });
  window.fwUploads = () => {
    for (const field of all("[data-upload]")) start(field);
  };
  for (const moment of ["turbo:render", "turbo:frame-load"]) addEventListener(moment, window.fwUploads);
  window.fwUploads();
})();

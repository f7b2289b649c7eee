// Runs the browser's passkey prompt for each form with data-webauthn, and submits its response.
(() => {
  const supported = () => globalThis.SimpleWebAuthnBrowser?.browserSupportsWebAuthn() ?? false;

  function showMessage(form, text) {
    const message = form.querySelector("[data-webauthn-error]");
    message.textContent = text;
    message.hidden = false;
  }

  async function run(form) {
    const button = form.querySelector("button:not([type=button])");
    form.querySelector("[data-webauthn-error]").hidden = true;
    button.disabled = true;
    try {
      const optionsJSON = JSON.parse(form.dataset.webauthnOptions);
      const browser = globalThis.SimpleWebAuthnBrowser;
      const start = form.dataset.webauthn === "create" ? browser.startRegistration : browser.startAuthentication;
      form.querySelector("[name=credential]").value = JSON.stringify(await start({ optionsJSON }));
      form.dataset.ready = "yes";
      button.disabled = false;
      form.requestSubmit();
    } catch (error) {
      button.disabled = false;
      const cancelled = error?.name === "NotAllowedError" || error?.name === "AbortError";
      showMessage(form, cancelled ? form.dataset.cancelled : `${form.dataset.failed} (${error?.name ?? "?"})`);
    }
  }

  /** A challenge is valid for five minutes. An older one is requested again when the field gets focus. */
  const STALE_MS = 4 * 60_000;
  let offer = {};

  /** Lets the browser offer passkeys in the login field, next to stored passwords. */
  async function offerIn(form) {
    const browser = globalThis.SimpleWebAuthnBrowser;
    const fetching = new AbortController();
    offer = { form, at: Date.now(), fetching };
    if (!(await browser?.browserSupportsWebAuthnAutofill())) return;
    try {
      const headers = { accept: "application/json" };
      const answer = await fetch(`${form.action}?autofill=1`, { headers, signal: fetching.signal });
      const optionsJSON = await answer.json();
      const credential = await browser.startAuthentication({ optionsJSON, useBrowserAutofill: true });
      form.querySelector("[name=credential]").value = JSON.stringify(credential);
      form.requestSubmit();
    } catch {
      // Cancelled, or replaced by another request: the page also has a link to passkeys.
    }
  }
  const autofillForm = () => document.querySelector("form[data-webauthn-autofill]");
  function offerAgain(event) {
    const form = autofillForm();
    const isField = event.target.matches?.("input[autocomplete~=webauthn]");
    if (isField && form && (form !== offer.form || Date.now() - offer.at > STALE_MS)) offerIn(form);
  }

  /** Shows the buttons where the browser supports passkeys. */
  function settle() {
    const autofill = autofillForm();
    if (offer.form && autofill !== offer.form) {
      offer.fetching.abort();
      globalThis.SimpleWebAuthnBrowser?.WebAuthnAbortService.cancelCeremony(); // the login page was replaced
      offer = {};
    }
    if (autofill && autofill !== offer.form) offerIn(autofill);
    for (const form of document.querySelectorAll("form[data-webauthn]")) {
      if (!supported()) showMessage(form, form.dataset.unsupported);
      else form.querySelector("button[hidden]:not([type=button])")?.removeAttribute("hidden");
    }
  }

  const root = document.documentElement;
  if (root.dataset.webauthn) return settle(); // loaded again by Turbo
  root.dataset.webauthn = "on";
  document.addEventListener(
    "submit",
    (event) => {
      const form = event.target.closest?.("form[data-webauthn]");
      if (!form || form.dataset.ready === "yes") return;
      event.preventDefault();
      event.stopImmediatePropagation();
      run(form);
    },
    true,
  );
  document.addEventListener("submit", () => offer.fetching?.abort(), true); // its Set-Cookie must not follow that of the sign-in
  document.addEventListener("focusin", offerAgain);
  for (const moment of ["turbo:load", "turbo:render"]) document.addEventListener(moment, settle);
  addEventListener("load", settle);
  settle();
})();

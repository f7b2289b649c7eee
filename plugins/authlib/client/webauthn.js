// Asks the browser for a passkey and sends what it answers; the forms it finds say what is asked.
(() => {
  const supported = () => globalThis.SimpleWebAuthnBrowser?.browserSupportsWebAuthn() ?? false;

  function say(form, text) {
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
      say(form, cancelled ? form.dataset.cancelled : `${form.dataset.failed} (${error?.name ?? "?"})`);
    }
  }

  /** The buttons are there for those alone who can use them. */
  function settle() {
    for (const form of document.querySelectorAll("form[data-webauthn]")) {
      if (!supported()) say(form, form.dataset.unsupported);
      else form.querySelector("button[hidden]:not([type=button])")?.removeAttribute("hidden");
    }
  }

  const root = document.documentElement;
  if (root.dataset.webauthn) return settle(); // read again by Turbo
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
  for (const moment of ["turbo:load", "turbo:render"]) document.addEventListener(moment, settle);
  addEventListener("load", settle);
  settle();
})();

import { html } from "framewright/host";
import type { AttributeHandler } from "framewright/plugins/resources/toolkit";

/** The number in forms: it is shown and not entered, and another one that is sent is refused. */
export const numberField: AttributeHandler = {
  plugin: "numbers",
  async read({ controller, attribute, record, sent }) {
    const given = sent.get(attribute.name);
    const stored = (record as Record<string, unknown> | undefined)?.[attribute.name];
    if (given === undefined || given === null || given === "" || given === stored) return undefined;
    return { errors: { [attribute.name]: [controller.t("numbers.assigned")] } };
  },
  async draw({ controller, attribute, record, id }) {
    const stored = (record as Record<string, unknown> | undefined)?.[attribute.name];
    const text = stored === null || stored === undefined ? controller.t("numbers.later") : String(stored);
    return { content: html`<output id="${id}" class="form-control-plaintext">${text}</output>` };
  },
};

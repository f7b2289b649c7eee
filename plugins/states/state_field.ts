import { html } from "framewright/host";
import type { BaseModel } from "framewright/plugins/database";
import type { ResourceController } from "framewright/plugins/resources";
import { type AttributeHandler, detailOf } from "framewright/plugins/resources/toolkit";
import { refusal } from "./guard_writes.ts";
import type { StateMachine } from "./state_machine.ts";

/** The state in forms: it is shown and not entered, and another one that is sent is refused with the ways to it. */
export const stateField = (machine: StateMachine): AttributeHandler => ({
  plugin: "states",
  async read({ controller, attribute, record, sent }) {
    const given = sent.get(attribute.name);
    const state = record ? machine.of(record) : machine.initial;
    if (given === undefined || given === state || (!record && (given === "" || given === null))) return undefined;
    const { key, vars, message } = refusal(machine, state);
    return { errors: { [attribute.name]: [controller.request.tOr(key, message, vars)] } };
  },
  async draw({ controller, attribute, record, id }) {
    const { class: cls } = controller.registration.model;
    const shown = record ?? Object.assign(cls.fromJson({}) as BaseModel, { [machine.column]: machine.initial });
    const pill = detailOf(controller as ResourceController, attribute, shown);
    return { content: html`<output id="${id}" class="form-control-plaintext">${pill}</output>` };
  },
});

import type { BaseController } from "framewright/host";
import type { Policy, Registration, ResourceRequest } from "framewright/plugins/resources";
import { ListReader } from "framewright/plugins/resources/toolkit";

/** The reader of a document: one account, or everybody who enters a portal. */
export interface Asker {
  /** Whether one of them has an account. */
  readonly isSignedIn: boolean;
  /** The policy of each of them, without a record. */
  policies(registration: Registration): readonly Policy[];
  /** A list of a policy without the names that plugins hide. */
  shown(names: readonly string[], registration: Registration): readonly string[];
  /** The reader of the list of a resource. */
  reader(registration: Registration): ListReader;
}

/** The account of a request, or a guest. */
export class AccountAsker implements Asker {
  readonly #controller: BaseController;

  constructor(controller: BaseController) {
    this.#controller = controller;
  }
  get isSignedIn(): boolean {
    return this.#controller.currentUser !== undefined;
  }
  policies(registration: Registration): readonly Policy[] {
    return [this.#resources.policy(this.#controller, registration.policyClass, undefined)];
  }
  shown(names: readonly string[], registration: Registration): readonly string[] {
    return this.#resources.fields(names, registration, this.#controller as ResourceRequest);
  }
  reader(registration: Registration): ListReader {
    return new ListReader(this.#controller, registration);
  }
  get #resources() {
    return this.#controller.request.kernel.service("resources");
  }
}

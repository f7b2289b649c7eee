import { keepPendingForm } from "../pending_forms.ts";
import { Factors } from "./factors.ts";

const SESSION_KEY = "account_returns";
/** Longer locations are not stored: the session is a cookie. */
const MAX_RETURN_CHARS = 1000;

/** The location that a person requested before a login or a confirmation interrupted them. */
export class ReturnLocation extends Factors {
  /** Stores the requested location, and the form that was being submitted. */
  async rememberReturn(): Promise<void> {
    const { request } = this;
    if (request.isSpeculative) return;
    const isLoad = request.method === "GET" && request.frame === undefined;
    const target = isLoad ? request.path + (request.search ? `?${request.search}` : "") : request.referer;
    if (target !== undefined) this.keepReturn(target);
    if (request.method !== "GET") await keepPendingForm(this, target);
  }
  keepReturn(target: string): void {
    if (target.length > MAX_RETURN_CHARS) return;
    const others = (this.session.get(SESSION_KEY) ?? {}) as Record<string, string>;
    this.session.setExpendable(SESSION_KEY, { ...others, [this.type.name]: target });
  }
  /** The stored location, once, and only where it is safe to redirect there. */
  takeReturn(): string | undefined {
    const { [this.type.name]: target, ...others } = (this.session.get(SESSION_KEY) ?? {}) as Record<string, string>;
    if (target === undefined) return undefined;
    if (Object.keys(others).length === 0) this.session.delete(SESSION_KEY);
    else this.session.setExpendable(SESSION_KEY, others);
    return this.request.safeLocation(target, [this.type.path("login"), this.type.path("logout")]);
  }
}

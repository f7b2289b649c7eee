import { holdForm } from "../pending_forms.ts";
import { Factors } from "./factors.ts";

const returns = "account_returns";
/** Characters: a cookie has room for little. */
const LONGEST_RETURN = 1000;

/** Where a person was going before something was asked in between. */
export class Returns extends Factors {
  /** Remembers where a person was going, with the form that was being sent. */
  async rememberReturn(): Promise<void> {
    const { request } = this;
    if (request.isSpeculative) return;
    const isLoad = request.method === "GET" && request.frame === undefined;
    const target = isLoad ? request.path + (request.search ? `?${request.search}` : "") : request.referer;
    if (target !== undefined) this.keepReturn(target);
    if (request.method !== "GET") await holdForm(this, target);
  }
  keepReturn(target: string): void {
    if (target.length > LONGEST_RETURN) return;
    const others = (this.session.get(returns) ?? {}) as Record<string, string>;
    this.session.setExpendable(returns, { ...others, [this.type.name]: target });
  }
  /** Where the person was going; told once, and only when it is safe to go there. */
  takeReturn(): string | undefined {
    const { [this.type.name]: target, ...others } = (this.session.get(returns) ?? {}) as Record<string, string>;
    if (target === undefined) return undefined;
    if (Object.keys(others).length === 0) this.session.delete(returns);
    else this.session.setExpendable(returns, others);
    return this.request.safeLocation(target, [this.type.path("login"), this.type.path("logout")]);
  }
}

import type { FieldErrors, Reply } from "framewright/host";
import type { AccountRecord } from "../account_type.ts";
import { Mails } from "./mails.ts";
import { keepLogin, keptLogin } from "./typed_login.ts";

/** What several pages ask for: the password again, a new one, the key of a mailed link. */
export class Asking extends Mails {
  /** The key that a mailed link brought, by its address or by the form. */
  keyParam(): string {
    const given = this.param("key") ?? this.request.query.get("key");
    return typeof given === "string" ? given.slice(0, 200) : "";
  }
  /** The answer to a link that is used up, too old or none: the same for all. `label` says what `page` is for. */
  deadLink(page: string, label = "link_dead_again"): Reply {
    const message = this.t("link_dead");
    if (this.wantsJson) return this.problem(this.invalid({ key: [message] }, message));
    return this.page("dead_link", { again: this.type.path(page), label: this.t(label) }, 422);
  }
  /** The answer to whoever asked for a mail, whether one is sent or not; `again` is the page that sends it once more. */
  lookIntoYourMail(again: string): Reply {
    if (this.wantsJson) return this.controller.json({ success: this.t("look_into_mail") });
    keepLogin(this.session, this.type.name, this.normalizeLogin(this.param("login") ?? ""));
    return this.goTo(`${this.type.path("mailed")}?again=${again}`);
  }
  /** Where whoever asked for a mail lands: to be read again without asking again. */
  async mailedPage(): Promise<Reply> {
    const asked = this.request.query.get("again");
    const routes = [...this.type.features.values()].flatMap((feature) => feature.routes);
    const isPage = routes.some(({ page, who, path }) => page && who === "anyone" && path === asked);
    const { env, smtp } = this.request.settings;
    return this.page("mailed", {
      again: this.type.path(isPage ? String(asked) : "login"),
      login: keptLogin(this.session, this.type.name),
      kept: env === "development" && smtp === undefined,
    });
  }
  /** The new password that was typed, or what is wrong with it, by field. */
  async chosenPassword(account: AccountRecord | undefined, field = "password"): Promise<string | FieldErrors> {
    const [password, repeated] = [this.param(field) ?? "", this.param("password_confirmation")];
    if (password === "") return { [field]: [this.t("blank")] };
    if (repeated !== undefined && repeated !== password) return { password_confirmation: [this.t("password_differs")] };
    const problems = await this.passwordProblems(password, account);
    if (problems.length > 0) return { [field]: problems };
    const reuse = account && (await this.#reuse(account, password));
    return reuse === undefined ? password : { [field]: [reuse] };
  }
  /**
   * Why a password is not taken again, for an account that is verified: who changes it after a leak must not keep it.
   * Features that know older ones say more.
   */
  async reuseProblem(account: AccountRecord, password: string): Promise<string | undefined> {
    const isCurrent = (await this.hasPassword(account)) && (await this.passwordMatches(account, password));
    return isCurrent ? this.t("password_same") : undefined;
  }
  /**
   * What is asked is a guess, and counted, apart from those that strangers make at the login. Before an address is
   * verified nothing is asked: whoever signed up may type the same on another device. @throws HttpError 429
   */
  async #reuse(account: AccountRecord, password: string): Promise<string | undefined> {
    if (this.isUnverified(account)) return undefined;
    const { limits } = this.type.services;
    await limits.take("login", `chosen ${this.type.name} ${account.id}`, this.request.address);
    return this.reuseProblem(account, password);
  }
}

import type { Reply } from "framewright/host";
import type { AccountLine, AuthlibClass } from "framewright/plugins/authlib";
import { hintOf } from "../../key.ts";
import { keysOf } from "../../keys_of.ts";
import { MAX_SCOPES, type ScopeVerb, verbs } from "../../scopes.ts";
import type { ApiKeysOptions } from "./index.ts";
import { ApiKeyStore, type ListedApiKey, type NewApiKey } from "./store.ts";

const DAY_MS = 86_400_000;
const MAX_NAME = 100;
const lifetimes = [7, 30, 90, 365] as const;
const DEFAULT_DAYS = 90;

/** The page of an account's keys: to list, create and revoke them. */
export function withKeyPages(Base: AuthlibClass): AuthlibClass {
  return class WithKeyPages extends Base {
    readonly #store = new ApiKeyStore(this);

    async apiKeysPage(): Promise<Reply> {
      if (this.wantsJson) return this.controller.json({ data: await this.listApiKeys() });
      return (await this.confirmFirst()) ?? this.page("api_keys", await this.#locals());
    }
    async submitApiKeys(): Promise<Reply> {
      return this.request.body.get("revoke") === undefined ? this.#create() : this.#revoke();
    }
    listApiKeys(): Promise<ListedApiKey[]> {
      return this.#store.list(this.account!);
    }

    override async accountLines(): Promise<AccountLine[]> {
      const text = this.t("account.api_keys_text", { count: await this.#store.count(this.account!) });
      const line = { section: "sign_in", name: "api_keys", label: this.t("account.api_keys") } as const;
      const link = { page: "api-keys", action: this.t("account.api_keys_manage") };
      return [...(await super.accountLines()), { ...line, text, ...link }];
    }

    async #create(): Promise<Reply> {
      const account = this.account!;
      const { wanted, fields } = this.#wanted();
      if (!wanted) return this.refuse("api_keys", { fields, locals: await this.#locals() });
      const refused = await this.confirmIdentity("api_keys", await this.#locals());
      if (refused) return refused;
      const created = await this.#store.create(account, wanted, this.#max);
      if (!created) {
        const message = this.t("api_keys.too_many", { count: this.#max });
        return this.refuse("api_keys", { message, code: "FW_API_KEYS_MAX", locals: await this.#locals() });
      }
      await this.emitEvent("api_key_created", { name: wanted.name, hint: hintOf(created.key) });
      return this.#show(created, wanted);
    }
    /** 201, since Turbo shows no answer 200 to a form. */
    async #show({ id, key }: { id: number; key: string }, { name, scopes, expiresAt }: NewApiKey): Promise<Reply> {
      if (!this.wantsJson) return this.page("api_key", { key, key_name: name, expires_at: expiresAt }, 201);
      const data = { id, name, key, scopes, expires_at: expiresAt ?? null };
      return this.controller.json({ data }, { status: 201 });
    }
    async #revoke(): Promise<Reply> {
      const id = this.#text("revoke") ?? "";
      if (!/^[1-9]\d{0,15}$/.test(id))
        return this.refuse("api_keys", { fields: { revoke: [this.t("blank")] }, locals: await this.#locals() });
      const name = await this.#store.revoke(this.account!, Number(id));
      if (name !== undefined) await this.emitEvent("api_key_revoked", { name });
      return this.done(this.t("api_keys.revoked"), this.type.path("api-keys")); // it is, whoever did it
    }

    /** The inputs of the form, or its errors by field. */
    #wanted(): { wanted?: NewApiKey; fields: Record<string, string[]> } {
      const fields: Record<string, string[]> = {};
      const name = (this.param("name") ?? "").trim();
      if (name === "") fields.name = [this.t("blank")];
      else if (name.length > MAX_NAME) fields.name = [this.t("api_keys.name_long", { count: MAX_NAME })];
      const scopes = this.#chosen();
      const problem = this.#scopesProblem(scopes);
      if (problem !== undefined) fields.scopes = [problem];
      const days = this.#days();
      if (days === undefined) fields.days = [this.t("api_keys.days_wrong", { days: this.#choices().join(", ") })];
      if (Object.keys(fields).length > 0) return { fields };
      const expiresAt = days === "never" ? undefined : new Date(Date.now() + days! * DAY_MS);
      return { wanted: { name, scopes, expiresAt }, fields };
    }
    /** The scopes that were sent, as a list or as a text with spaces between them. */
    #chosen(): string[] {
      const given = this.request.body.get("scopes");
      const texts = Array.isArray(given) ? given : typeof given === "string" ? given.split(/[\s,]+/) : [];
      return [...new Set(texts.filter((one): one is string => typeof one === "string" && one !== ""))];
    }
    #scopesProblem(scopes: readonly string[]): string | undefined {
      if (scopes.length === 0) return this.t("api_keys.scopes_blank");
      if (scopes.length > MAX_SCOPES) return this.t("api_keys.scopes_many", { count: MAX_SCOPES });
      return scopes.map((one) => this.#keys.problemOf(one, this.type.name)).find((one) => one !== undefined);
    }
    #days(): number | "never" | undefined {
      const isGiven = this.request.body.get("days") !== undefined;
      const text = isGiven ? this.#text("days") : String(DEFAULT_DAYS);
      return this.#choices().find((choice) => String(choice) === text);
    }
    /** A field as text, which JSON may have as a number. */
    #text(name: string): string | undefined {
      const given = this.request.body.get(name);
      return typeof given === "number" ? String(given) : this.param(name);
    }
    #choices(): (number | "never")[] {
      return [...lifetimes, ...(this.#options.endless ? (["never"] as const) : [])];
    }

    async #locals() {
      const chosen = new Set(this.#chosen());
      const box = (path: string, label: string) => ({
        label,
        verbs: verbs.map((verb: ScopeVerb) => ({
          scope: `${path}:${verb}`,
          verb,
          label: `${label}: ${this.t(`api_keys.${verb}`)}`,
          checked: chosen.has(`${path}:${verb}`),
        })),
      });
      const resources = this.#keys.resources(this.controller, this.type.name);
      const days = this.#text("days") ?? String(DEFAULT_DAYS);
      return {
        keys: await this.listApiKeys(),
        rows: [box("*", this.t("api_keys.all_resources")), ...resources.map(({ path, label }) => box(path, label))],
        verb_labels: verbs.map((verb) => this.t(`api_keys.${verb}`)),
        lifetimes: this.#choices().map((value) => ({
          value,
          label: value === "never" ? this.t("api_keys.never") : this.t("api_keys.days_choice", { count: value }),
          selected: String(value) === days,
        })),
        asks_password: await this.asksForPassword(),
        login: this.loginOf(this.account!),
        csrf: this.csrf("api-keys"),
      };
    }
    get #keys() {
      return keysOf(this.request, `the account type "${this.type.name}" has the feature "api_keys"`);
    }
    get #options(): ApiKeysOptions {
      return this.optionsOf<ApiKeysOptions>("api_keys");
    }
    get #max(): number {
      return this.#options.max ?? 20;
    }
  };
}

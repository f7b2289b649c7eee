import type { Reply } from "framewright/host";
import { type AuthlibClass, defineFeature, form } from "../../feature.ts";

/** What the feature `logout` adds. */
export interface LogoutSteps {
  logoutPage(): Promise<Reply>;
  submitLogout(): Promise<Reply>;
  /** Called before a sign-out. */
  beforeLogout(): Promise<void>;
  /** Where a sign-out leads. */
  logoutRedirect(): string;
}

/** Signs out: ends the session at once, copies of its cookie included. `GET /users/logout` asks, `POST` signs out. */
export function logout() {
  return defineFeature<LogoutSteps>({
    name: "logout",
    directory: import.meta.dirname,
    requires: ["login"],
    routes: [...form("logout", "anyone")],
    steps,
  });
}

function steps(Base: AuthlibClass) {
  return class WithLogout extends Base {
    async logoutPage(): Promise<Reply> {
      await this.load();
      if (!this.signIn) return this.goTo(this.logoutRedirect());
      return this.page("logout", { csrf: this.csrf("logout") });
    }
    async submitLogout(): Promise<Reply> {
      await this.load();
      await this.beforeLogout();
      const { account, signIn } = this;
      await this.closeSession();
      if (signIn) await this.emitEvent("logout", {}, account);
      return this.done(this.t("logout.done"), this.logoutRedirect());
    }
    async beforeLogout(): Promise<void> {}
    logoutRedirect(): string {
      return this.type.path("login");
    }
  };
}

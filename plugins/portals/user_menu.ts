import { type BaseController, csrfInput, type SafeHtml, safeUrl } from "framewright/host";
import type { SyncHook } from "framewright/kernel";

/** A line of the user menu. */
export interface UserMenuItem {
  label: string;
  url: string;
  /** A name of @tabler/icons. */
  icon?: string;
  /** Anything but "get", the default, is a button that sends a form with its token. */
  method?: "get" | "post" | "put" | "patch" | "delete";
  /** 50 by default; the profile has 10, the account 20, signing out 90. Equal ones are in the order of the plugins. */
  order?: number;
}
/** A line as the layout shows it. */
interface UserMenuLine extends UserMenuItem {
  csrf?: SafeHtml;
}

const DEFAULT_ORDER = 50;

/** The user menu of a page: the lines that its controller gives, and those of plugins, by their order. */
export function userMenuOf(
  controller: BaseController,
  hook: SyncHook<[items: UserMenuItem[], controller: BaseController]>,
  own: readonly UserMenuLine[] = [],
): readonly UserMenuLine[] {
  const items: UserMenuItem[] = [];
  hook.call(items, controller);
  const lines = [...own, ...items.map((item) => lineOf(controller, item))];
  return lines.sort((a, b) => (a.order ?? DEFAULT_ORDER) - (b.order ?? DEFAULT_ORDER));
}

function lineOf({ request }: BaseController, item: UserMenuItem): UserMenuLine {
  const { url, method = "get" } = item;
  const csrf = method === "get" ? {} : { csrf: csrfInput(request, url, method) };
  return { ...item, ...csrf, url: safeUrl(url) };
}

import { createRequire } from "node:module";

/** The files that are not loaded yet: each exports one class or function, or those of these names. */
export type DeferredFiles = Readonly<Record<string, "one" | readonly string[]>>;

/**
 * Requires a CommonJS package, but of the files that it requires not these: each is loaded when a class or function of it is first
 * called or looked at. Fast path: Node takes 0.2 ms for a file, and what is here for schemas of JSON is a hundred.
 * @param url that of the module that requires
 * @param files named as the package itself could require them
 * @example requireDeferring(import.meta.url, "objection", { ajv: "one" })
 */
export function requireDeferring<T>(url: string, name: string, files: DeferredFiles): T {
  const require = createRequire(url);
  const stubs = putStubs(createRequire(require.resolve(name)), files);
  try {
    return require(name) as T;
  } finally {
    for (const remove of stubs) remove(); // who else requires such a file gets the file
  }
}

/** Puts stubs into Node's cache of modules. A file that is not there is no error: then the package loads whole. */
function putStubs(require: NodeJS.Require, files: DeferredFiles): (() => void)[] {
  return Object.entries(files).flatMap(([file, names]) => {
    const path = resolved(require, file);
    if (path === undefined || require.cache[path]) return [];
    const remove = () => {
      if (require.cache[path] === stub) delete require.cache[path];
    };
    const load = () => {
      remove();
      return require(path) as Exports;
    };
    const exports = names === "one" ? deferred(load) : exportsOf(names, load);
    const stub = {
      id: path,
      filename: path,
      path,
      exports,
      loaded: true,
      children: [],
      paths: [],
    } as unknown as Module;
    require.cache[path] = stub;
    return [remove];
  });
}
type Exports = Record<string, object>;
type Module = NonNullable<NodeJS.Require["cache"][string]>;

const exportsOf = (names: readonly string[], load: () => Exports): Exports =>
  Object.fromEntries(names.map((name) => [name, deferred(() => load()[name]!)]));

function resolved(require: NodeJS.Require, file: string): string | undefined {
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}

/** What a stub is made of: it can be called and constructed, and its prototype is whatever is read of the stub. */
function anything(): void {}

/** Takes the place of a class or function until it is used: to call, construct, extend, and for `instanceof` it is the same. */
function deferred(load: () => object): object {
  let loaded: Function | undefined;
  const real = (): Function => {
    loaded ??= load() as Function;
    return loaded;
  };
  const stub: object = new Proxy(anything, {
    apply: (_, self, values) => Reflect.apply(real(), self, values),
    construct: (_, values, target) => Reflect.construct(real(), values, target === stub ? real() : target),
    get: (_, name) => Reflect.get(real(), name),
    set: (_, name, value) => Reflect.set(real(), name, value),
    getPrototypeOf: () => Reflect.getPrototypeOf(real()),
  });
  return stub;
}

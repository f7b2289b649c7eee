import { suggest } from "framewright/kernel";
import { errors } from "../errors.ts";
import { camelize, constantOf, pathOf } from "../support/inflection.ts";

/** A class that a file of the application defines. */
export interface Constant {
  /** `Blogging::Post` */
  readonly name: string;
  /** `models`, `controllers`, …: the folder below `app/`. */
  readonly kind: string;
  /** Relative to the application. */
  readonly file: string;
  readonly value: unknown;
}

/** The classes of an application, by the names that follow from their paths. */
export class Constants {
  readonly #byName = new Map<string, Constant>();
  readonly #byValue = new Map<unknown, Constant>();
  /** Each route needs its controller's path, and a controller has several. */
  readonly #nameOfPath = new Map<string, string>();

  /** @throws FW_CONSTANT_TAKEN */
  add(path: string, kind: string, file: string, value: unknown): Constant {
    const constant = { name: constantOf(path), kind, file, value };
    const taken = this.#byName.get(constant.name);
    if (taken) throw errors.FW_CONSTANT_TAKEN(constant.name, taken.file, file);
    this.#byName.set(constant.name, constant);
    this.#byValue.set(value, constant);
    return constant;
  }
  has(name: string): boolean {
    return this.#byName.has(this.#nameOf(name));
  }
  /** @throws FW_CONSTANT_UNKNOWN with a suggestion */
  get(name: string): Constant {
    const found = this.#byName.get(camelize(name));
    if (found) return found;
    throw errors.FW_CONSTANT_UNKNOWN(name, suggest(name, this.#byName.keys()), `app/*/${pathOf(name)}.ts`);
  }
  /** The class at a path such as `admin_portal/posts_controller`. */
  byPath(path: string): unknown {
    return this.#byName.get(this.#nameOf(path))?.value;
  }
  #nameOf(path: string): string {
    const name = this.#nameOfPath.get(path) ?? camelize(path);
    this.#nameOfPath.set(path, name);
    return name;
  }
  /** The constant that a class is, when a file defines it. */
  of(value: unknown): Constant | undefined {
    return this.#byValue.get(value);
  }
  all(kind?: string): Constant[] {
    const constants = [...this.#byName.values()];
    return kind === undefined ? constants : constants.filter((constant) => constant.kind === kind);
  }
}

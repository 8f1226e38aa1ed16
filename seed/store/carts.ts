/** Carts of the demo store, in memory only. They behave like Shopify's. */
import { randomBytes, randomUUID } from "node:crypto";
import type { DemoProduct, DemoVariant } from "./catalog";

export interface DemoLine {
  readonly id: string;
  readonly variantId: string;
  quantity: number;
}

export interface DemoCart {
  readonly token: string;
  /** Secret part of the cart's id, without which a cart cannot be changed. */
  readonly key: string;
  readonly createdAt: string;
  updatedAt: string;
  /** Currency of the payment. */
  readonly currency: string;
  /** Newest first. */
  lines: DemoLine[];
}

export interface UserError {
  readonly code: string | null;
  readonly field: readonly string[];
  readonly message: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
  readonly target: string;
}

export interface CartChangeResult {
  readonly cart: DemoCart | null;
  readonly userErrors: readonly UserError[];
  readonly warnings: readonly Warning[];
}

/** Finds a variant with its product; null when the store has no variant with that id. */
export type FindVariant = (id: string) => { product: DemoProduct; variant: DemoVariant } | null;

const NO_CART: UserError = {
  code: "INVALID",
  field: ["cartId"],
  message: "The specified cart does not exist.",
};

export const cartId = ({ token, key }: Pick<DemoCart, "token" | "key">) =>
  `gid://shopify/Cart/${token}?key=${key}`;

/** Maximum number of lines that one change adds. */
const INPUTS_MAX = 250;

export class DemoCarts {
  readonly #carts = new Map<string, DemoCart>();
  readonly #findVariant: FindVariant;
  /** Error with which every change of a cart's lines is rejected; null when changes are accepted. */
  rejection: UserError | null = null;

  constructor(findVariant: FindVariant) {
    this.#findVariant = findVariant;
  }

  create(currency: string): DemoCart {
    const now = new Date().toISOString();
    const cart: DemoCart = {
      token: randomBytes(16).toString("hex"),
      key: randomBytes(16).toString("hex"),
      createdAt: now,
      updatedAt: now,
      currency,
      lines: [],
    };
    this.#carts.set(cart.token, cart);
    return cart;
  }

  /**
   * Finds a cart without checking its key, because reading needs none. Lines whose variant no longer exists are removed without a
   * message, as in Shopify.
   */
  read(id: string): DemoCart | null {
    const cart = this.#carts.get(/^gid:\/\/shopify\/Cart\/([^?]*)/.exec(id)?.[1] ?? "") ?? null;
    if (cart) cart.lines = cart.lines.filter(({ variantId }) => this.#findVariant(variantId) !== null);
    return cart;
  }

  /** Deletes all carts. */
  expire(): void {
    this.#carts.clear();
  }

  /** Finds a cart for a change, which needs its key. */
  #findForChange(id: string): DemoCart | null {
    const cart = this.read(id);
    return cart && id === cartId(cart) ? cart : null;
  }

  add(id: string, inputs: readonly { merchandiseId: string; quantity?: number | null }[]): CartChangeResult {
    const cart = this.#findForChange(id);
    if (!cart) return { cart: null, userErrors: [NO_CART], warnings: [] };
    if (this.rejection) return { cart, userErrors: [this.rejection], warnings: [] };
    if (inputs.length > INPUTS_MAX)
      throw new Error(
        `The input array size of ${inputs.length} is greater than the maximum allowed of ${INPUTS_MAX}.`,
      );
    for (const [index, { merchandiseId, quantity }] of inputs.entries()) {
      const fieldPath = ["lines", String(index)];
      if (!this.#findVariant(merchandiseId))
        return {
          cart: null,
          userErrors: [
            {
              code: "INVALID",
              field: [...fieldPath, "merchandiseId"],
              message: `The merchandise with id ${merchandiseId} does not exist.`,
            },
          ],
          warnings: [],
        };
      if ((quantity ?? 1) < 0)
        return {
          cart: null,
          userErrors: [
            {
              code: "INVALID",
              field: [...fieldPath, "quantity"],
              message: "The quantity must not be negative.",
            },
          ],
          warnings: [],
        };
    }
    const warnings: Warning[] = [];
    for (const { merchandiseId, quantity } of inputs) {
      const count = quantity ?? 1;
      if (count === 0) continue;
      const existingLine = cart.lines.find(({ variantId }) => variantId === merchandiseId);
      const line = existingLine ?? {
        id: `gid://shopify/CartLine/${randomUUID()}?cart=${cart.token}`,
        variantId: merchandiseId,
        quantity: 0,
      };
      if (!existingLine) cart.lines.unshift(line);
      this.#setQuantity(line, line.quantity + count, warnings);
    }
    return this.#changeResult(cart, warnings);
  }

  update(id: string, inputs: readonly { id: string; quantity?: number | null }[]): CartChangeResult {
    const cart = this.#findForChange(id);
    if (!cart) return { cart: null, userErrors: [NO_CART], warnings: [] };
    if (this.rejection) return { cart, userErrors: [this.rejection], warnings: [] };
    const missingIndex = inputs.findIndex((input) => !cart.lines.some((line) => line.id === input.id));
    if (missingIndex >= 0)
      return this.#lineNotFound(cart, ["lines", String(missingIndex), "id"], inputs[missingIndex]?.id ?? "");
    const warnings: Warning[] = [];
    for (const input of inputs) {
      const line = cart.lines.find((cartLine) => cartLine.id === input.id);
      if (!line || input.quantity === null || input.quantity === undefined) continue;
      if (input.quantity <= 0) cart.lines = cart.lines.filter((cartLine) => cartLine !== line);
      else this.#setQuantity(line, input.quantity, warnings);
    }
    return this.#changeResult(cart, warnings);
  }

  remove(id: string, lineIds: readonly string[]): CartChangeResult {
    const cart = this.#findForChange(id);
    if (!cart) return { cart: null, userErrors: [NO_CART], warnings: [] };
    if (this.rejection) return { cart, userErrors: [this.rejection], warnings: [] };
    const lineIdsInCart = new Set(cart.lines.map((line) => line.id));
    const missingLineId = lineIds.find((lineId) => !lineIdsInCart.has(lineId));
    if (missingLineId !== undefined)
      return this.#lineNotFound(cart, ["lineIds", String(lineIds.indexOf(missingLineId))], missingLineId);
    cart.lines = cart.lines.filter((line) => !lineIds.includes(line.id));
    return this.#changeResult(cart, []);
  }

  #lineNotFound(cart: DemoCart, field: readonly string[], lineId: string): CartChangeResult {
    const name = /CartLine\/([^?]*)/.exec(lineId)?.[1] ?? lineId;
    const message = `The merchandise line with id ${name} does not exist.`;
    return { cart, userErrors: [{ code: "INVALID_MERCHANDISE_LINE", field, message }], warnings: [] };
  }

  /** Sets a line's quantity, up to the stock. Insufficient stock gives a warning, never an error. */
  #setQuantity(line: DemoLine, requested: number, warnings: Warning[]): void {
    const match = this.#findVariant(line.variantId);
    const { count, continues } = match?.variant.stock ?? { count: 0, continues: false };
    const available = count === null || continues ? Number.POSITIVE_INFINITY : count;
    line.quantity = Math.min(requested, available);
    if (line.quantity === requested) return;
    warnings.push(
      line.quantity === 0
        ? {
            code: "MERCHANDISE_OUT_OF_STOCK",
            message: "The product is already sold out.",
            target: line.id,
          }
        : {
            code: "MERCHANDISE_NOT_ENOUGH_STOCK",
            message: `Only ${line.quantity} item${line.quantity === 1 ? " was" : "s were"} added to your cart due to availability.`,
            target: line.id,
          },
    );
  }

  #changeResult(cart: DemoCart, warnings: readonly Warning[]): CartChangeResult {
    cart.updatedAt = new Date().toISOString();
    return { cart, userErrors: [], warnings };
  }
}

import type { CartAccess, CartChange, ChangeProblem } from "#functions/services/store/shop-ports";
import { toStoreFailure } from "./circuit-breaker";
import { DOCUMENTS } from "./documents";
import {
  getOperation,
  getStoreClient,
  parseResponse,
  RETRIES,
  type StoreQueryDeps,
  type Variables,
} from "./query-store";
import { type ChangedResponse, MESSAGE_MAX, RESPONSES } from "./response-converter";
import { beginStoreCall } from "./store-calls";

type ChangeName = "cartLinesAdd" | "cartLinesUpdate" | "cartLinesRemove";

/**
 * Sends a change of a cart's lines. Returns a cart that arrived together with errors, because its lines show the applied changes.
 * @throws StoreFailure if the call failed and no cart arrived
 */
export async function changeCartLines<Name extends ChangeName>(
  deps: StoreQueryDeps,
  store: CartAccess,
  name: Name,
  variables: Variables,
): Promise<CartChange> {
  const call = beginStoreCall(deps, store, getOperation(name, variables));
  try {
    const { data, failure } = await getStoreClient(deps, store).requestPartial<
      Readonly<Record<string, unknown>>
    >(DOCUMENTS[name], {
      variables,
      retries: RETRIES,
      isMutation: true,
      buyerIp: store.buyerIp,
      ...call.options,
    });
    if (!failure) {
      const cartChange = toCartChange(
        deps,
        (parseResponse(RESPONSES[name], data) as Record<ChangeName, ChangedResponse>)[name],
      );
      call.succeed();
      return cartChange;
    }
    const parsed = RESPONSES[name].safeParse(data);
    const response = parsed.success ? (parsed.data as Record<ChangeName, ChangedResponse>)[name] : undefined;
    if (!response?.cart) throw failure;
    call.fail(failure);
    const cart = deps.convert.cartOf(response.cart);
    return {
      status: "done",
      cart,
      warnings: deps.convert.warningsOf(response),
      problem: { kind: "failure", failure },
    };
  } catch (error) {
    const failure = toStoreFailure(error);
    if (failure) call.fail(failure);
    throw error;
  }
}

/** Converts a response to the result of a change. A user error is reported even if the response contains a cart. */
function toCartChange(deps: StoreQueryDeps, response: ChangedResponse): CartChange {
  const [error] = response.userErrors;
  const reason = error && rejectionReason(error);
  const message = error?.message.slice(0, MESSAGE_MAX) ?? "";
  if (reason && (reason === "no_cart" || !response.cart)) return { status: "rejected", reason, message };
  // A response without cart and without errors means that the cart no longer exists.
  if (!response.cart) return { status: "rejected", reason: "no_cart", message: "" };
  const problem: ChangeProblem | null = reason ? { kind: "rejected", reason, message } : null;
  return {
    status: "done",
    cart: deps.convert.cartOf(response.cart),
    warnings: deps.convert.warningsOf(response),
    problem,
  };
}

type UserError = ChangedResponse["userErrors"][number];
type Reason = Extract<CartChange, { status: "rejected" }>["reason"];

/** Returns the reason of a user error. If the code is INVALID or missing, the path of the field states the reason (source: recorded responses). */
function rejectionReason({ code, field }: UserError): Reason {
  if (code === "INVALID_MERCHANDISE_LINE") return "no_line";
  const [argumentName, , inputField] = field ?? [];
  if (code !== "INVALID" && code !== null && code !== undefined) return "other";
  if (argumentName === "cartId") return "no_cart";
  if (argumentName === "lineIds") return "no_line";
  if (argumentName !== "lines") return "other";
  return inputField === "id" ? "no_line" : inputField === "merchandiseId" ? "no_variant" : "other";
}

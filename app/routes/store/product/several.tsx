import { Form, useNavigation } from "@remix-run/react";
import { Button } from "~/components/button";
import { FieldErrorList, fieldIds } from "~/components/fields/field";
import { FormErrorSummary } from "~/components/fields/form-error-summary";
import { CART_QUANTITY_MAX } from "~/domain/shared/limits";
import type { ProductView, StoreVariant } from "~/domain/store/store";
import { severalField } from "~/domain/store/store.schema";
import { toIdNumber } from "~/domain/store/store-ids";
import { canBuy, variantState } from "~/domain/store/store-options";
import { formatMoney } from "~/i18n/format";
import { useTranslation } from "~/i18n/translation";
import { formatStock } from "../shared/format-stock";

/** Rejected form that adds several variants. */
export interface RejectedVariants {
  readonly state: "several";
  /** Typed quantities by the variant's number. */
  readonly typed: Readonly<Record<string, string>>;
  /** Messages by the variant's number. */
  readonly errors: Readonly<Record<string, string>>;
  /** Message about the whole form; null if there is none. */
  readonly form: string | null;
}

/** Form that adds several variants of a product to the cart at once: a quantity for each available one. */
export function SeveralVariants({
  view: { product },
  action,
  rejected,
}: {
  readonly view: ProductView;
  /** URL of the form. */
  readonly action: string;
  readonly rejected: RejectedVariants | null;
}) {
  const { t } = useTranslation();
  const navigation = useNavigation();
  const busy = navigation.state !== "idle" && navigation.formMethod === "POST";
  const { variants, subscriptionOnly } = product;
  const buyable = variants.filter((variant) => canBuy(variantState(variant, subscriptionOnly)));
  if (buyable.length < 2) return null;
  const problems = variants.flatMap(({ id, title }) => {
    const message = rejected?.errors[toIdNumber(id)];
    return message === undefined ? [] : [{ id: severalField(toIdNumber(id)), label: title, message }];
  });
  return (
    <details open={rejected !== null || undefined} className="text-sm">
      <summary className="min-h-10 cursor-pointer content-center text-accent">
        {t("store-visitors:several")}
      </summary>
      <Form method="post" action={action} className="mt-2 grid gap-3">
        {rejected && (
          <FormErrorSummary
            errors={[...(rejected.form ? [{ id: "", message: rejected.form }] : []), ...problems]}
            title={null}
            hint={null}
          />
        )}
        <ul className="ruled">
          {variants.map((variant) => (
            <VariantRow
              key={variant.id}
              variant={variant}
              subscriptionOnly={subscriptionOnly}
              typed={rejected?.typed[toIdNumber(variant.id)] ?? ""}
              error={rejected?.errors[toIdNumber(variant.id)]}
            />
          ))}
        </ul>
        <Button type="submit" name="intent" value="several" icon="cart" pending={busy} className="min-h-11">
          {t(busy ? "store-visitors:adding" : "store-visitors:severalAdd")}
        </Button>
      </Form>
    </details>
  );
}

/** A variant with its price and a quantity field, or the reason why it cannot be bought. */
function VariantRow({
  variant,
  subscriptionOnly,
  typed,
  error,
}: {
  readonly variant: StoreVariant;
  readonly subscriptionOnly: boolean;
  readonly typed: string;
  readonly error: string | undefined;
}) {
  const { t, language } = useTranslation();
  const state = variantState(variant, subscriptionOnly);
  const name = severalField(toIdNumber(variant.id));
  const ids = fieldIds(name, { error });
  return (
    <li className="grid gap-1.5 py-2">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0">
          <span className="font-semibold wrap-anywhere">{variant.title}</span>{" "}
          <span className="tabular-nums">{formatMoney(variant.price, language)}</span>
          {state !== "in_stock" && <span className="block text-muted">{formatStock(t, state)}</span>}
        </p>
        {canBuy(state) && (
          <input
            type="number"
            inputMode="numeric"
            name={name}
            min={0}
            max={CART_QUANTITY_MAX}
            defaultValue={typed}
            placeholder="0"
            id={ids.id}
            aria-label={t("store-visitors:severalQuantity", { title: variant.title })}
            aria-describedby={ids.describedBy}
            aria-invalid={error ? true : undefined}
            className="control w-20 shrink-0 tabular-nums"
          />
        )}
      </div>
      <FieldErrorList id={ids.errorId} error={error} />
    </li>
  );
}

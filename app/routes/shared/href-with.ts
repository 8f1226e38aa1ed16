/**
 * Query of the current URL with one parameter set, or removed if the value is null; the others, except `toast`, are kept. For links that open a
 * dialog or another page of the list.
 */
export function hrefWith(searchParams: URLSearchParams, name: string, value: string | null): string {
  const params = new URLSearchParams(searchParams);
  params.delete("toast");
  if (value === null) params.delete(name);
  else params.set(name, value);
  return `?${params}`;
}

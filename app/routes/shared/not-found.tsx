export function loader() {
  throw new Response(null, { status: 404, statusText: "Not Found" });
}

/** Never rendered: the loader always throws, and the shell's error boundary renders the page. */
export default function NotFound() {
  return null;
}

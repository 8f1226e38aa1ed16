/** Drawing of an empty room, which is shown instead of a missing image. */
export function EmptyRoom() {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 320 180"
      className="absolute inset-0 size-full"
      fill="none"
      stroke="currentColor"
      strokeWidth="1"
      preserveAspectRatio="xMidYMid slice"
    >
      <path d="M0 0 104 52h112L320 0M0 180l104-58h112l104 58M104 52v70M216 52v70" opacity="0.6" />
      <path d="M142 122V76h36v46" />
    </svg>
  );
}

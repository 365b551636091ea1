const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

/** As people read it, in powers of 1,024. */
export const sizeInWords = (bytes: number): string => {
  if (bytes < 1024) return `${bytes} B`
  let size = bytes / 1024
  let unit = 0
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024
    unit += 1
  }
  return `${size.toFixed(1)} ${units[unit] ?? ''}`
}

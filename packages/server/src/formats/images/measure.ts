/** A size, how many bytes from the beginning would tell more, or nothing that could be told. */
export type Measure = { readonly width: number; readonly height: number } | { readonly needs: number } | undefined

/** A size as it is shown: half of the orientations of EXIF lie on their side. */
export const oriented = (width: number, height: number, orientation: number): Measure =>
  orientation >= 5 && orientation <= 8 ? { width: height, height: width } : { width, height }

/** A chapter that is one picture, as a cover is: it lies in the middle of both columns instead of in the first. */
export const sayPictureAlone = ({ body, documentElement }: Document): void => {
  if (body.textContent.trim() !== '') return
  const pictures = [...body.querySelectorAll('img, svg, video, audio, table, hr')]
  // A picture within a drawing is a part of it.
  const outermost = pictures.filter((each) => each.parentElement?.closest('svg') == null)
  if (outermost.length === 1 && /^(?:img|svg)$/.test(outermost[0]?.localName ?? ''))
    documentElement.setAttribute('data-carrel-alone', '')
}

/** A press this far from a word, in parts of its height, is meant for it. */
const nearPart = 0.5
/** Beside a line the line counts, and not the end of a longer one above or below. */
const acrossLines = 60

interface Spot {
  readonly node: Node
  readonly offset: number
}

/**
 * Browsers that select over words which lie about freely jump to the other end of the page between two of them. So the
 * mouse selects from letter to nearest letter here; what is selected, copied and shown is the browser's own selection.
 * Fingers select as the system has it. A press on the text is none for the page below, which would turn.
 */
export const selectWithMouse = (layer: HTMLElement): (() => void) => {
  const stop = new AbortController()
  const { signal } = stop
  const drag = { isOn: false }
  const onText = (event: MouseEvent): boolean => isNear(layer, event)

  const down = (event: PointerEvent): void => {
    const isSelected = isSelection()
    drag.isOn = event.pointerType === 'mouse' && event.button === 0 && onText(event)
    if (drag.isOn || event.button !== 0) return event.stopPropagation()
    if (!isSelected) return undefined
    // The first press beside a selection only takes it away.
    getSelection()?.removeAllRanges()
    return event.stopPropagation()
  }
  const press = (event: MouseEvent): void => {
    if (!drag.isOn || event.button !== 0) return
    event.preventDefault()
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
    begin(spotAt(layer, event), event)
    const moving = new AbortController()
    const extend = (move: MouseEvent): void => extendTo(spotAt(layerAt(move) ?? layer, move))
    window.addEventListener('mousemove', extend, { signal: moving.signal })
    window.addEventListener('mouseup', () => moving.abort(), { signal: moving.signal, once: true })
  }
  layer.addEventListener('pointerdown', down, { signal })
  layer.addEventListener('mousedown', press, { signal })
  // A strip of pages listens to clicks.
  layer.addEventListener('click', (event) => (drag.isOn ? event.stopPropagation() : undefined), { signal })
  return () => stop.abort()
}

const isSelection = (): boolean => getSelection()?.isCollapsed === false

const wordsIn = (layer: Element): readonly Element[] => [...layer.querySelectorAll('[data-word]')]

const layerAt = ({ clientX, clientY }: MouseEvent): Element | null | undefined =>
  document.elementFromPoint(clientX, clientY)?.closest('[data-text-of]')

const beside = ({ left, right }: DOMRect, { clientX }: MouseEvent): number =>
  Math.max(0, left - clientX, clientX - right)
const across = ({ top, bottom }: DOMRect, { clientY }: MouseEvent): number =>
  Math.max(0, top - clientY, clientY - bottom)
const distance = (box: DOMRect, event: MouseEvent): number => beside(box, event) + acrossLines * across(box, event)

const nearestWord = (layer: Element, event: MouseEvent) => {
  let nearest: { readonly word: Element; readonly box: DOMRect; readonly distance: number } | undefined
  for (const word of wordsIn(layer)) {
    const box = word.getBoundingClientRect()
    const away = distance(box, event)
    if (nearest === undefined || away < nearest.distance) nearest = { word, box, distance: away }
  }
  return nearest
}

const isNear = (layer: Element, event: MouseEvent): boolean => {
  const box = nearestWord(layer, event)?.box
  return box !== undefined && Math.max(beside(box, event), across(box, event)) <= box.height * nearPart
}

/** The place between two letters of the nearest word that is nearest. */
const spotAt = (layer: Element, event: MouseEvent): Spot | undefined => {
  const word = nearestWord(layer, event)?.word
  if (!word) return undefined
  const range = document.createRange()
  const isRightToLeft = word.getAttribute('dir') === 'rtl'
  let nearest: (Spot & { readonly distance: number }) | undefined
  const texts = document.createTreeWalker(word, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (let offset = 0; offset < (node.nodeValue?.length ?? 0); offset += 1) {
      range.setStart(node, offset)
      range.setEnd(node, offset + 1)
      const box = range.getBoundingClientRect()
      const away = distance(box, event)
      if (nearest !== undefined && away >= nearest.distance) continue
      const isAfter = event.clientX > (box.left + box.right) / 2 !== isRightToLeft
      nearest = { node, offset: offset + (isAfter ? 1 : 0), distance: away }
    }
  }
  return nearest
}

/** One press begins, with the shift key it goes on; two take the word, three its line. */
const begin = (spot: Spot | undefined, { detail, shiftKey }: MouseEvent): void => {
  const selection = getSelection()
  if (!spot || !selection) return
  if (shiftKey && selection.anchorNode) return extendTo(spot)
  if (detail < 2) return selection.collapse(spot.node, spot.offset)
  const word = spot.node.parentElement?.closest('[data-word]')
  if (!word) return undefined
  const [first, last] = detail === 2 ? [word, word] : lineOf(word)
  selection.setBaseAndExtent(first, 0, last, last.childNodes.length)
  return undefined
}

const extendTo = (spot: Spot | undefined): void => {
  if (spot) getSelection()?.extend(spot.node, spot.offset)
}

const lineOf = (word: Element): readonly [Element, Element] => {
  let [first, last] = [word, word]
  for (let next = first.previousElementSibling; next?.tagName === 'SPAN'; next = next.previousElementSibling)
    first = next
  for (let next = last.nextElementSibling; next?.tagName === 'SPAN'; next = next.nextElementSibling) last = next
  return [first, last]
}

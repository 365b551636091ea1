interface Touch {
  readonly pointerType: string
  readonly isPrimary: boolean
  readonly clientX: number
  readonly clientY: number
}

const holdMs = 450
/** A finger is never quite still. */
const slack = 10

/** It tells when a finger has stayed where it came down: by then it neither scrolls nor clicks. */
export const watchHold = ({ pointerType, isPrimary, clientX, clientY }: Touch, onHeld: () => void): void => {
  if (pointerType !== 'touch' || !isPrimary) return
  const watching = new AbortController()
  const options = { signal: watching.signal, capture: true }
  const end = (): void => {
    clearTimeout(timer)
    watching.abort()
  }
  const timer = setTimeout(() => {
    end()
    swallowClick()
    onHeld()
  }, holdMs)
  window.addEventListener(
    'pointermove',
    (moved) => {
      if (Math.hypot(moved.clientX - clientX, moved.clientY - clientY) > slack) end()
    },
    options,
  )
  for (const ending of ['pointerup', 'pointercancel', 'scroll']) window.addEventListener(ending, end, options)
}

/** The finger that is lifted now would follow the link it has held. */
const swallowClick = (): void => {
  const swallowing = new AbortController()
  const options = { signal: swallowing.signal, capture: true }
  const swallow = (event: Event): void => {
    swallowing.abort()
    event.preventDefault()
    event.stopPropagation()
  }
  window.addEventListener('click', swallow, options)
  window.addEventListener('pointerdown', () => swallowing.abort(), options)
}

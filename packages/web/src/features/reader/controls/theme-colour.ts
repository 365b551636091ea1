import { useEffect } from 'react'

/** What the system paints around the page, above all on phones, is the ground of the reader. */
export const useThemeColour = (colour: string): void => {
  useEffect(() => {
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
    const [first = document.createElement('meta'), ...others] = metas
    first.name = 'theme-color'
    first.removeAttribute('media')
    first.content = colour
    for (const other of others) other.remove()
    document.head.append(first)
  }, [colour])
}

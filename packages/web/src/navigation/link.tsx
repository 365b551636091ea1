import { useRouter } from '@tanstack/react-router'
import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { goTo, hrefTo, isElsewhere } from './go-to.ts'

interface AppLinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  /** An address of the app: one of `paths`. */
  readonly to: string
  readonly replace?: boolean
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey, defaultPrevented }: MouseEvent): boolean =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey && !defaultPrevented

/**
 * It is a link within the app: an ordinary link, but the page is not loaded again. Its target is fetched as soon as one
 * points at it.
 */
export const AppLink = ({
  to,
  replace = false,
  onClick,
  onFocus,
  target,
  children,
  ...rest
}: AppLinkProps): ReactNode => {
  const router = useRouter()
  const preload = (): void => {
    if (isElsewhere(router, to)) return
    router.preloadRoute({ to: to.split('?')[0] ?? to }).catch(() => undefined)
  }
  return (
    <a
      {...rest}
      href={hrefTo(router, to)}
      target={target}
      onPointerEnter={preload}
      onFocus={(event) => {
        onFocus?.(event)
        preload()
      }}
      onClick={(event) => {
        onClick?.(event)
        if (!isPlainClick(event) || (target !== undefined && target !== '_self')) return
        event.preventDefault()
        goTo(router, to, { replace })
      }}
    >
      {children}
    </a>
  )
}

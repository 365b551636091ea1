import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { paths } from '../navigation/paths.ts'
import { Icon } from '../ui/icon.tsx'
import { Row } from '../ui/layout/layout.tsx'
import { openPalette } from './open-palette.ts'
import { isMac, usePalette } from './use-palette.ts'
import styles from './search-box.module.css'

/** A button that looks like the field it opens. */
export const SearchBox = (): ReactNode => {
  const { t } = useTranslation()
  const { pathname, search } = useLocation()
  const searched = pathname === paths.search() && typeof search.q === 'string' ? search.q : ''
  const field = useRef<HTMLButtonElement>(null)
  const { frame, Palette, typed, prepare, onClose } = usePalette(['/'])
  return (
    <>
      <Row
        as="button"
        type="button"
        gap={2}
        grow
        ref={field}
        className={styles.field}
        aria-haspopup="dialog"
        aria-keyshortcuts="/ Control+K Meta+K"
        data-is-open={frame === 'dropdown'}
        onClick={() => openPalette('dropdown')}
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <Icon name="search" />
        <span className={styles.words} data-is-searched={searched !== ''}>
          {searched === '' ? t('searchBox.label') : t('searchBox.again', { q: searched })}
        </span>
        <kbd className={styles.key} aria-hidden="true">
          {isMac ? '⌘ K' : 'Ctrl K'}
        </kbd>
      </Row>
      {frame === undefined || Palette === undefined ? null : (
        <Palette
          frame={frame}
          field={field}
          text={typed.text || searched}
          isEntered={typed.isEntered}
          onClose={onClose}
        />
      )}
    </>
  )
}

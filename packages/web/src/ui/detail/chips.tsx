import { type ComponentType, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { LinkProps } from '../layout/frame.tsx'
import { Row } from '../layout/layout.tsx'
import styles from './chips.module.css'

interface ChipsProps {
  /** What they are together, for those who do not see them. */
  readonly label: string
  readonly link: ComponentType<LinkProps>
  readonly chips: readonly { readonly label: string; readonly to: string }[]
}

/** So many fit on a line or two. */
const shownMax = 6

/** Words that lead to everything that carries them. */
export const Chips = ({ label, link: Link, chips }: ChipsProps): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const hidden = isOpen || chips.length <= shownMax + 1 ? 0 : chips.length - shownMax
  if (chips.length === 0) return null
  return (
    <Row as="ul" gap={2} rowGap={2} wrap aria-label={label} className={styles.chips}>
      {chips.slice(0, chips.length - hidden).map((chip) => (
        <li key={chip.to}>
          <Link to={chip.to} className={styles.chip}>
            {chip.label}
          </Link>
        </li>
      ))}
      {hidden === 0 ? null : (
        <li>
          <button
            type="button"
            className={styles.chip}
            aria-label={t('moreWords', { count: hidden })}
            onClick={() => setOpen(true)}
          >
            {`+${hidden}`}
          </button>
        </li>
      )}
    </Row>
  )
}

import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Text } from '../layout/layout.tsx'
import styles from './synopsis.module.css'

/** The length is about four lines of text. */
const longText = 280

/** A long synopsis is shortened; the rest is shown on demand. */
export const Synopsis = ({ text }: { readonly text: string }): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const isLong = text.length > longText || text.split('\n').length > 4
  return (
    <div>
      <Text lines={isLong && !isOpen ? 4 : undefined} className={styles.text} dir="auto">
        {text}
      </Text>
      {isLong ? (
        <button type="button" className={styles.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(isOpen ? 'showLess' : 'showMore')}
        </button>
      ) : null}
    </div>
  )
}

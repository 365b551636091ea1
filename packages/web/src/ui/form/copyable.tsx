import { Button, TextInput } from '@mantine/core'
import { type ReactNode, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './copyable.module.css'
import { Icon } from '../icon.tsx'
import { Row } from '../layout/layout.tsx'

/** Text to take along: an address, a key. Where the browser lets no page copy, it is selected instead. */
export const Copyable = ({ label, text }: { readonly label: string; readonly text: string }): ReactNode => {
  const { t } = useTranslation()
  const field = useRef<HTMLInputElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    field.current?.select()
    // Browsers have no clipboard for pages without https.
    if (!window.isSecureContext) return
    await navigator.clipboard.writeText(text)
    setIsCopied(true)
  }
  return (
    <Row gap={2} align="end">
      <TextInput
        className={styles.field}
        ref={field}
        label={label}
        value={text}
        readOnly
        onFocus={(event) => event.currentTarget.select()}
      />
      <Button
        variant="default"
        leftSection={<Icon name={isCopied ? 'check' : 'copy'} size="small" />}
        onClick={() => void copy()}
      >
        {t(isCopied ? 'copied' : 'copy')}
      </Button>
    </Row>
  )
}

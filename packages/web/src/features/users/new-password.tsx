import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Copyable } from '../../ui/form/copyable.tsx'
import { PasswordField } from '../../ui/form/fields.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { madeUpPassword } from './made-up-password.ts'
import styles from './users.module.css'

interface NewPasswordProps {
  readonly label: string
  readonly value: string
  readonly onChange: (password: string) => void
}

/** A password for somebody else: typed, or made up and copied to be passed on. */
export const NewPassword = ({ label, value, onChange }: NewPasswordProps): ReactNode => {
  const { t } = useTranslation('users')
  const [made, setMade] = useState<string>()
  const makeUp = (): void => {
    const password = madeUpPassword()
    setMade(password)
    onChange(password)
  }
  return (
    <>
      <Row gap={2} align="end" wrap touch className={styles.add}>
        <PasswordField
          label={label}
          description={t('passwordHint')}
          autoComplete="new-password"
          value={value}
          onChange={onChange}
        />
        <Button variant="default" onClick={makeUp}>
          {t('makeUp')}
        </Button>
      </Row>
      {value !== '' && value === made ? <Copyable label={t('madeUp')} text={value} /> : null}
    </>
  )
}

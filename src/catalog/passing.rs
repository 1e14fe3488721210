//! Which failures to connect may be over in a moment, so that it is worth to try again.

use std::io::ErrorKind as Io;

use sqlx::Error as Driver;
use sqlx::mysql::MySqlDatabaseError;

/// SQLSTATEs of PostgreSQL: no connection left, starting up or shutting down, and what poolers say while they restart.
const STATES: [&str; 5] = ["53300", "57P01", "57P02", "57P03", "08006"];

/// Numbers of MySQL: no connection left for anybody or for this user, and a shutdown that is under way.
const NUMBERS: [u16; 4] = [1040, 1203, 1226, 1053];

/// Returns whether a failure to connect may be over in a moment. A wrong password never is, and neither is silence: the
/// time that was waited for is enough.
pub(super) fn is_passing(error: &Driver) -> bool {
    match error {
        Driver::Io(io) => matches!(
            io.kind(),
            Io::ConnectionRefused | Io::ConnectionReset | Io::ConnectionAborted | Io::BrokenPipe | Io::UnexpectedEof
        ),
        Driver::Database(database) => match database.try_downcast_ref::<MySqlDatabaseError>() {
            Some(mysql) => NUMBERS.contains(&mysql.number()),
            None => database.code().is_some_and(|code| STATES.contains(&&*code)),
        },
        _ => false,
    }
}

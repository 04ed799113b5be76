//! The workers: each takes the next group of tasks until none is left.
//!
//! A group is compiled in order by one worker. C and C++ units are a group each; all Fortran
//! units of a request are one, since a unit may need modules of those before it.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::thread;

use super::{Place, Task};
use crate::build::Event;
use crate::contents::Contents;
use crate::environment::Environment;
use crate::error::BuildError;
use crate::manifest::Object;
use crate::work::Work;

/// A message from a worker to the building thread: only that one calls the observer.
enum Report {
    Started(usize),
    Finished(usize, Box<Result<Object, BuildError>>),
}

/// Compiles the tasks with these indices; the results are unordered. After an error the other
/// groups continue, so that one build shows the errors of all units.
pub(crate) fn compile_all(
    tasks: &[Task],
    groups: Vec<Vec<usize>>,
    work: &Work,
    scratch: &Path,
    environment: &Environment,
    contents: &Mutex<Contents>,
    observe: &mut dyn FnMut(Event),
) -> Vec<(usize, Result<Object, BuildError>)> {
    let total = groups.iter().map(Vec::len).sum();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let workers = cores.min(groups.len());
    let waiting = Mutex::new(VecDeque::from(groups));
    let lock = || waiting.lock().unwrap_or_else(|e| e.into_inner());
    let next = || lock().pop_front();
    let place = Place { work, scratch, environment, contents };
    let (reports, inbox) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (reports, place, lock, next) = (reports.clone(), &place, &lock, &next);
            scope.spawn(move || {
                while let Some(group) = next() {
                    let interrupted = compile_group(tasks, &group, place, &reports);
                    if interrupted {
                        // The other results are not needed. The worker itself empties the queue:
                        // it would start the next group before the building thread could.
                        lock().clear();
                    }
                }
            });
        }
        drop(reports);
        let mut results = Vec::new();
        let mut started = 0;
        for report in inbox {
            match report {
                Report::Started(index) => {
                    started += 1;
                    let (unit, command) = (tasks[index].unit.clone(), tasks[index].shown(work));
                    observe(Event::Compiling { unit, number: started, total, command });
                }
                Report::Finished(index, result) => {
                    let unit = tasks[index].unit.clone();
                    let number = results.len() + 1;
                    observe(Event::Compiled { unit, ok: result.is_ok(), number, total });
                    results.push((index, *result));
                }
            }
        }
        results
    })
}

/// Compiles the tasks of a group in order; true if the user interrupted one.
fn compile_group(
    tasks: &[Task],
    group: &[usize],
    place: &Place<'_>,
    reports: &mpsc::Sender<Report>,
) -> bool {
    for index in group {
        // Sending fails only if the receiver panicked.
        let _ = reports.send(Report::Started(*index));
        let result = tasks[*index].compile(place);
        let failed = result.is_err();
        let interrupted = matches!(&result, Err(error) if error.is_interruption());
        let _ = reports.send(Report::Finished(*index, Box::new(result)));
        if failed {
            // Later units of a group may fail only because this one is missing.
            return interrupted;
        }
    }
    false
}

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
    let next = || waiting.lock().unwrap_or_else(|e| e.into_inner()).pop_front();
    let place = Place { work, scratch, environment, contents };
    let (reports, inbox) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..workers {
            let (reports, place, next) = (reports.clone(), &place, &next);
            scope.spawn(move || {
                while let Some(group) = next() {
                    compile_group(tasks, &group, place, &reports);
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
                    if matches!(&*result, Err(error) if error.is_interruption()) {
                        // The results of the others are not needed.
                        waiting.lock().unwrap_or_else(|e| e.into_inner()).clear();
                    }
                    observe(Event::Compiled { unit, ok: result.is_ok(), number, total });
                    results.push((index, *result));
                }
            }
        }
        results
    })
}

fn compile_group(
    tasks: &[Task],
    group: &[usize],
    place: &Place<'_>,
    reports: &mpsc::Sender<Report>,
) {
    for index in group {
        // Sending fails only if the receiver panicked.
        let _ = reports.send(Report::Started(*index));
        let result = tasks[*index].compile(place);
        let failed = result.is_err();
        let _ = reports.send(Report::Finished(*index, Box::new(result)));
        if failed {
            // Later units of a group may fail only because this one is missing.
            break;
        }
    }
}
